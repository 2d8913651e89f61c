/** Writes what the Worker maps its stacks with: the source maps of the bundle, thinned out to lines. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { type FileMap, numbersIn, type StackMap } from "../app/worker/map-stack.ts";

const FILE = "./stack-map.js";
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function vlq(number: number): string {
	let rest = number < 0 ? (-number << 1) | 1 : number << 1;
	let text = "";
	do {
		text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)];
		rest >>= 5;
	} while (rest > 0);
	return text;
}

/** A source as it is told: from this folder, or the package's name. */
const told = (source: string) =>
	/(?:^|\/)(app\/.*)$/.exec(source.replace(/\?.*$/, ""))?.[1] ??
	/.*(node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ??
	source.replace(/^(\.\.\/)+/, "");

/** A source map with one mapping for each line of ours, and one for each stretch of a package. */
export function thinned(map: { sources: readonly string[]; mappings: string }): FileMap {
	const sources: string[] = [];
	const indexOf = (name: string) => {
		if (!sources.includes(name)) sources.push(name);
		return sources.indexOf(name);
	};
	const [read, written] = [
		{ source: 0, line: 0 },
		{ source: 0, line: 0 },
	];
	const mappings = map.mappings.split(";").map((text) => {
		let [column, writtenColumn, last] = [0, 0, ""];
		const segments: string[] = [];
		for (const segment of text ? text.split(",") : []) {
			const [columns = 0, sourcesOn, linesOn = 0] = numbersIn(segment);
			column += columns;
			if (sourcesOn === undefined) continue;
			read.source += sourcesOn;
			read.line += linesOn;
			const name = told(map.sources[read.source] ?? "");
			const line = name.startsWith("app/") ? read.line : 0;
			if (last === `${name}:${line}`) continue;
			last = `${name}:${line}`;
			const source = indexOf(name);
			segments.push(
				vlq(column - writtenColumn) + vlq(source - written.source) + vlq(line - written.line),
			);
			writtenColumn = column;
			Object.assign(written, { source, line });
		}
		return segments.join(",");
	});
	return { sources, mappings: mappings.join(";") };
}

/** The table is made of the bundle, so it stands beside it. */
export const stackMapBeside: Plugin = {
	name: "stack-map",
	setup: ({ onResolve }) =>
		onResolve({ filter: /^virtual:stack-map$/ }, () => ({ path: FILE, external: true })),
};

/** Writes the table for the modules of a folder. */
export function writeStackMap(folder: string): void {
	const files: Record<string, FileMap> = {};
	for (const name of readdirSync(folder).filter((each) => each.endsWith(".js.map")))
		files[name.replace(/\.map$/, "")] = thinned(
			JSON.parse(readFileSync(join(folder, name), "utf8")),
		);
	const table: StackMap = files;
	writeFileSync(join(folder, FILE), `export default ${JSON.stringify(table)};\n`);
}
