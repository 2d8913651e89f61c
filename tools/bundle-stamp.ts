/** Tells whether a bundle was built from the sources as they are now. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type Kind = "local" | "production";

const SOURCES = [
	...["app", "public", "package-lock.json", "vite.config.ts", "remix.config.js"],
	...[
		"tools/bundle.ts",
		"tools/bundle-stamp.ts",
		"tools/bundled-packages.ts",
		"tools/office-routes.ts",
		"tools/shipped.ts",
		"tools/stack-map.ts",
	],
];

function* filesUnder(path: string): Generator<string> {
	if (statSync(path).isFile()) {
		yield path;
		return;
	}
	// Tests aren't part of the bundle, so editing one doesn't rebuild it.
	for (const name of readdirSync(path).sort())
		if (!name.includes(".test.")) yield* filesUnder(join(path, name));
}

/** A digest of everything a bundle is built from. */
export function fingerprint(): string {
	const hash = createHash("sha256");
	for (const source of SOURCES)
		for (const file of filesUnder(source))
			hash.update(file).update("\0").update(readFileSync(file));
	return hash.digest("hex");
}

/** Whether `build/<kind>` is up to date. */
export function isBuilt(kind: Kind): boolean {
	const stamp = join("build", kind, "stamp");
	return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint();
}
