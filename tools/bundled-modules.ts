/** Which packages a build really took code from: their licenses travel with it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import type { Plugin } from "vite";

const PACKAGES = "packages.json";
const isList = (name: string) => /^modules-.+\.json$/.test(name);

/** Modules that left code in what esbuild wrote. */
export function modulesOf({ outputs }: Metafile): string[] {
	return Object.values(outputs).flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
	);
}

/** Writes down the modules that left code in what Vite wrote, one list for each of its builds. */
export function recordModules(folder: string): Plugin {
	return {
		name: "milepost-bundled-modules",
		apply: "build",
		writeBundle(_, outputs) {
			const modules = Object.values(outputs).flatMap((output) =>
				output.type === "chunk"
					? Object.entries(output.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
					: [],
			);
			writeFileSync(join(folder, `modules-${this.environment.name}.json`), JSON.stringify(modules));
		},
	};
}

/** The folder of the package that a module belongs to: `node_modules/@scope/name`. */
function packageFolderOf(id: string): string | undefined {
	const path = id.replaceAll("\\", "/");
	return /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+/.exec(path)?.[0];
}

/** Writes down every package of a build: of the modules named here, and of those that Vite took. */
export function recordPackages(folder: string, modules: readonly string[]): void {
	const lists = readdirSync(folder).filter(isList);
	const taken = lists.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as string[]);
	const folders = new Set([...modules, ...taken].flatMap((id) => packageFolderOf(id) ?? []));
	writeFileSync(join(folder, PACKAGES), JSON.stringify([...folders].sort(), null, "\t"));
}

/** Folders of the packages that a build holds code of. */
export function packagesOf(folder: string): string[] {
	return JSON.parse(readFileSync(join(folder, PACKAGES), "utf8")) as string[];
}
