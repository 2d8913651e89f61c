/** Writes the table the Worker maps stacks with: the bundle's source maps, reduced to lines. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { Plugin } from "esbuild";
import type { FileMap, StackMap } from "../app/worker/map-stack.ts";

const FILE = "./stack-map.js";

/** How a stack names a source: its path from `app/`, or the package it belongs to. */
const shortName = (source: string) =>
	/(?:^|\/)(app\/.*)$/.exec(source.replace(/\?.*$/, ""))?.[1] ??
	/.*(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ??
	source.replace(/^(\.\.\/)+/, "");

/** Keeps one mapping for each line of ours and one for each stretch of a package's code. */
function reduceToLines(map: { sources: readonly string[]; mappings: string }): FileMap {
	const indexes = new Map<string, number>();
	const indexOf = (name: string) => {
		const index = indexes.get(name) ?? indexes.size;
		indexes.set(name, index);
		return index;
	};
	const lines = decode(map.mappings).map((segments) => {
		const kept: SourceMapSegment[] = [];
		let last = "";
		for (const segment of segments) {
			if (segment.length === 1) continue;
			const [column, source, sourceLine] = segment;
			const name = shortName(map.sources[source] ?? "");
			const line = name.startsWith("app/") ? sourceLine : 0;
			if (last === `${name}:${line}`) continue;
			last = `${name}:${line}`;
			kept.push([column, indexOf(name), line, 0]);
		}
		return kept;
	});
	return { sources: [...indexes.keys()], mappings: encode(lines) };
}

/** Leaves the import of the table alone: it is written beside the bundle once that is built. */
export const externalStackMap: Plugin = {
	name: "stack-map",
	setup: ({ onResolve }) =>
		onResolve({ filter: /^virtual:stack-map$/ }, () => ({ path: FILE, external: true })),
};

/** Writes the table for all modules in a folder. */
export function writeStackMap(folder: string): void {
	const files: Record<string, FileMap> = {};
	for (const name of readdirSync(folder).filter((each) => each.endsWith(".js.map")))
		files[name.replace(/\.map$/, "")] = reduceToLines(
			JSON.parse(readFileSync(join(folder, name), "utf8")),
		);
	const table: StackMap = files;
	writeFileSync(join(folder, FILE), `export default ${JSON.stringify(table)};\n`);
}
