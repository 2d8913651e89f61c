/** Which packages a build really took code from: their licenses travel with it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import type { Plugin } from "vite";

const PACKAGES = "packages.json";
const isList = (name: string) => /^packages-.+\.json$/.test(name);

/** The folder of the package that a module belongs to: `node_modules/@scope/name`. */
function packageFolderOf(id: string): string | undefined {
	return /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+/.exec(
		id.replaceAll("\\", "/"),
	)?.[0];
}

function write(path: string, packages: readonly string[]): void {
	writeFileSync(path, JSON.stringify([...new Set(packages)].sort(), null, "\t"));
}

function read(path: string): string[] {
	return JSON.parse(readFileSync(path, "utf8")) as string[];
}

/** Packages that left code in what esbuild wrote. */
export function packagesIn({ outputs }: Metafile): string[] {
	return Object.values(outputs).flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
			bytesInOutput > 0 ? (packageFolderOf(path) ?? []) : [],
		),
	);
}

/** Writes down the packages that left code in what Vite wrote, one list for each of its builds. */
export function recordPackages(folder: string): Plugin {
	return {
		name: "milepost-bundled-packages",
		apply: "build",
		writeBundle(_, outputs) {
			const packages = Object.values(outputs).flatMap((output) =>
				output.type === "chunk"
					? Object.entries(output.modules).flatMap(([id, { renderedLength }]) =>
							renderedLength > 0 ? (packageFolderOf(id) ?? []) : [],
						)
					: [],
			);
			write(join(folder, `packages-${this.environment.name}.json`), packages);
		},
	};
}

/** Writes down every package of a build: those named here, and those that Vite took. */
export function joinPackages(folder: string, packages: readonly string[]): void {
	const lists = readdirSync(folder).filter(isList);
	write(join(folder, PACKAGES), [
		...packages,
		...lists.flatMap((name) => read(join(folder, name))),
	]);
}

/** Folders of the packages that a build holds code of. */
export const packagesOf = (folder: string): string[] => read(join(folder, PACKAGES));
