/** Keeps administrators' routes out of what a Worker loads on starting. */
import type { Plugin } from "vite";

/** Remix's list of every route, as a module. */
const SERVER_BUILD = "\0virtual:remix/server-build";
const OFFICE = "virtual:milepost/office-routes";

/** Administrators' routes, and the weeks, files and help that drivers open occasionally. */
const IS_OFFICE =
	/\/routes\/(?:_admin\.|_driver\.(?:help|history_\.|earnings)|api\.(?:admin|agreements|analytics|charges|docs|drivers|openapi|payouts|people|reports|settlements|statements|uber-fees))/;

/**
 * Puts administrators' routes in one module, imported with the first request for one of them: each
 * of their entries in the server build has a function instead of its module (app/worker/remix.ts).
 * @throws Error if Remix writes its list differently
 */
export function loadOfficeOnDemand(): Plugin {
	let exported = "";
	return {
		name: "milepost-office-routes",
		apply: "build",
		resolveId: (id) => (id === OFFICE ? `\0${id}` : undefined),
		load: (id) => (id === `\0${OFFICE}` ? exported : undefined),
		transform(code, id) {
			if (id !== SERVER_BUILD) return undefined;
			const names: string[] = [];
			exported = "";
			const without = code.replace(
				/^\s*import (\* as (route\d+) from "[^"]+";)$/gm,
				(line, rest, name) => {
					if (!IS_OFFICE.test(rest)) return line;
					names.push(name);
					exported += `export ${rest}\n`;
					return "";
				},
			);
			const lazy = names.reduce(
				(text, name) =>
					text.replace(
						new RegExp(`module: ${name}\\b`),
						`module: () => import("${OFFICE}").then((office) => office.${name})`,
					),
				without,
			);
			if (names.length === 0 || names.some((name) => !lazy.includes(`office.${name})`)))
				throw new Error("Remix's server build doesn't list its routes as expected.");
			return { code: lazy, map: null };
		},
	};
}
