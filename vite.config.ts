import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
// @ts-expect-error the options file is JavaScript, as the layout of the project asks
import remixOptions from "./remix.config.js";
import { recordPackages, recordWorkerPackages } from "./tools/bundled-packages.ts";
import { loadOfficeOnDemand } from "./tools/office-routes.ts";

const isLocal = process.env.MILEPOST_BUILD === "local";

/** Small modules that every page of a driver loads. */
const DRIVER_VALUES = /\/app\/(class-names|values\/(calendar-date|miles|money|required))\.ts/;

export default defineConfig(({ isSsrBuild }) => ({
	// The local sign-in exists in the local build only: in any other, the branch behind this constant is dead code and is dropped.
	define: { __LOCAL_SIGN_IN__: JSON.stringify(isLocal) },
	plugins: [
		tailwindcss(),
		remix(remixOptions),
		loadOfficeOnDemand(),
		recordPackages(remixOptions.buildDirectory),
	],
	// A module, which imports a decoder if a file needs it.
	worker: { format: "es", plugins: () => [recordWorkerPackages(remixOptions.buildDirectory)] },
	build: {
		// Of the Worker's half only, so that a logged stack can be read; browsers get none.
		sourcemap: isSsrBuild === true,
		target: "es2022",
		assetsInlineLimit: 0,
		cssMinify: true,
		reportCompressedSize: false,
		// React and its JSX runtime in one file, which every island needs. A file each would cost small
		// modules a request and compress them worse.
		...(isSsrBuild
			? {}
			: {
					rollupOptions: {
						output: {
							manualChunks: (id: string) => {
								if (/\/node_modules\/react\/|commonjsHelpers/.test(id)) return "react";
								return DRIVER_VALUES.test(id) ? "values" : undefined;
							},
						},
					},
				}),
	},
	logLevel: "warn",
}));
