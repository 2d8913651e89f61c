/**
 * Caches parsed configuration files in `build/`: loading wrangler takes longer than all else that
 * most of our tools do, and the files rarely change.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Unstable_Config } from "wrangler";
import { loadWrangler, wranglerVersion } from "./packages.ts";

const FOLDER = "build/wrangler";

/** A hash of everything that the result depends on. */
function keyOf(path: string, env: string | undefined): string {
	const given = [
		wranglerVersion(),
		resolve(path),
		readFileSync(path, "utf8"),
		env,
		process.env.CLOUDFLARE_ENV,
	];
	return createHash("sha256").update(JSON.stringify(given)).digest("hex");
}

/** @throws what wrangler throws if the file is invalid or missing */
export function readThroughCache(path: string, env: string | undefined): Unstable_Config {
	const kept = keptAt(path, env);
	try {
		return JSON.parse(readFileSync(kept, "utf8"));
	} catch {
		const { unstable_readConfig: read } = loadWrangler();
		const config = read({ config: path, env }, { hideWarnings: true });
		keep(kept, config);
		return config;
	}
}

function keptAt(path: string, env: string | undefined): string {
	try {
		return join(FOLDER, `${keyOf(path, env)}.json`);
	} catch {
		// Wrangler explains a missing file.
		return "";
	}
}

/** Written under a temporary name first, since another tool may be reading. */
function keep(place: string, config: Unstable_Config): void {
	if (!place) return;
	const draft = `${place}.${randomUUID()}`;
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(draft, JSON.stringify(config));
	renameSync(draft, place);
}
