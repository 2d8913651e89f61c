import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
// @ts-expect-error the options file is JavaScript, as the layout of the project asks
import remixOptions from "./remix.config.js";
import { recordPackages } from "./tools/bundled-packages.ts";

const isLocal = process.env.MILEPOST_BUILD === "local";

export default defineConfig(({ isSsrBuild }) => ({
	// The local sign-in exists in the local build only: in any other, the branch behind this constant is dead code and is dropped.
	define: { __LOCAL_SIGN_IN__: JSON.stringify(isLocal) },
	plugins: [tailwindcss(), remix(remixOptions), recordPackages(remixOptions.buildDirectory)],
	build: {
		// Of the Worker's half only, so that a logged stack can be read; browsers get none.
		sourcemap: isSsrBuild === true,
		target: "es2022",
		assetsInlineLimit: 0,
		cssMinify: true,
		reportCompressedSize: false,
		// React and its JSX runtime in one file, which every island needs.
		...(isSsrBuild
			? {}
			: {
					rollupOptions: {
						output: {
							manualChunks: (id: string) =>
								/\/node_modules\/react\/|commonjsHelpers/.test(id) ? "react" : undefined,
						},
					},
				}),
	},
	logLevel: "warn",
}));
