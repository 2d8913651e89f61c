/** Proves what a production bundle doesn't contain. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What Cloudflare publishes; everything else stays with the Worker. */
const isPublished = (folder: string, path: string) => path.startsWith(join(folder, "client"));

/** Words that only come from the local sign-in or test code. */
const FORBIDDEN_STRINGS: readonly (readonly [what: string, mark: RegExp])[] = [
	["the local sign-in", /local-sign-in|Sign in on this machine|any email, no password/i],
	["the demo fleet", /milepost\.test/],
	["a test library", /vitest|fast-check|playwright/i],
];

function* filesUnder(folder: string): Generator<string> {
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		if (statSync(path).isDirectory()) yield* filesUnder(path);
		else yield path;
	}
}

/** Forbidden contents of a bundle, one line each; empty if it is clean. */
export function findForbiddenCode(folder: string): string[] {
	const found: string[] = [];
	for (const file of filesUnder(folder)) {
		if (file.endsWith(".map") && isPublished(folder, file))
			found.push(`${file}: a published source map`);
		// A source map's table lists files whose code was dropped, too.
		const isTable = file.endsWith("stack-map.js") && !isPublished(folder, file);
		if (isTable || !/\.(js|css|html|json)$/.test(file)) continue;
		const text = readFileSync(file, "utf8");
		if (text.includes("sourceMappingURL=") && isPublished(folder, file))
			found.push(`${file}: a published link to a source map`);
		for (const [what, mark] of FORBIDDEN_STRINGS)
			if (mark.test(text)) found.push(`${file}: ${what}`);
	}
	return found;
}
