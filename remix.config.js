import process from "node:process";

/**
 * Options of the Remix Vite plugin.
 *
 * Single fetch and lazy route discovery stay off: the documents carry no client router, and the open advisories of
 * Remix 2 need one of the two (docs/decisions/0001-remix-2.md).
 *
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
	appDirectory: "app",
	buildDirectory: `build/${process.env.MILEPOST_BUILD ?? "production"}`,
	serverModuleFormat: "esm",
	future: {
		v3_fetcherPersist: true,
		v3_relativeSplatPath: true,
		v3_throwAbortReason: true,
		v3_singleFetch: false,
		v3_lazyRouteDiscovery: false,
	},
	ignoredRouteFiles: ["**/*.test.*"],
};
