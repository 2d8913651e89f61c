/** The packages whose code a build really includes: it must include their licenses. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import type { Plugin } from "vite";

const PACKAGES = "packages.json";
const isList = (name: string) => /^packages-.+\.json$/.test(name);

/** The folder of a module's package: `node_modules/@scope/name`. */
function packageFolderOf(id: string): string | undefined {
	return /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+/.exec(
		id.replaceAll("\\", "/"),
	)?.[0];
}

function write(path: string, packages: readonly string[]): void {
	writeFileSync(path, JSON.stringify([...new Set(packages)].sort(), null, "\t"));
}

function readList(path: string): string[] {
	return JSON.parse(readFileSync(path, "utf8")) as string[];
}

/** The packages whose code is in esbuild's output. */
export function packagesIn({ outputs }: Metafile): string[] {
	return Object.values(outputs).flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
			bytesInOutput > 0 ? (packageFolderOf(path) ?? []) : [],
		),
	);
}

type Outputs = Parameters<Extract<Plugin["writeBundle"], (...all: never[]) => unknown>>[1];

const packagesInChunks = (outputs: Outputs) =>
	Object.values(outputs).flatMap((output) =>
		output.type === "chunk"
			? Object.entries(output.modules).flatMap(([id, { renderedLength }]) =>
					renderedLength > 0 ? (packageFolderOf(id) ?? []) : [],
				)
			: [],
	);

/** Records the packages whose code is in Vite's output, one list for each of its builds. */
export function recordPackages(folder: string): Plugin {
	return {
		name: "milepost-bundled-packages",
		apply: "build",
		writeBundle(_, outputs) {
			write(join(folder, `packages-${this.environment.name}.json`), packagesInChunks(outputs));
		},
	};
}

/** Records those of the browser's workers, which Vite builds separately before the rest. */
export function recordWorkerPackages(folder: string): Plugin {
	return {
		name: "milepost-worker-packages",
		apply: "build",
		generateBundle(_, outputs) {
			mkdirSync(folder, { recursive: true });
			const entry = Object.values(outputs).find((each) => each.type === "chunk" && each.isEntry);
			const { name } = entry ?? {};
			write(join(folder, `packages-worker-${name}.json`), packagesInChunks(outputs));
		},
	};
}

/** Records every package of a build: those given here, and those that Vite included. */
export function joinPackages(folder: string, packages: readonly string[]): void {
	const lists = readdirSync(folder).filter(isList);
	write(join(folder, PACKAGES), [
		...packages,
		...lists.flatMap((name) => readList(join(folder, name))),
	]);
}

/** The folders of all packages whose code is in a build. */
export const packagesOf = (folder: string): string[] => readList(join(folder, PACKAGES));
