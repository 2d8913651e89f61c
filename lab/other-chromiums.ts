/**
 * Chromiums of earlier years for `npm run test:browsers`, from the npm package @sparticuz/chromium,
 * which has one of each. They are kept outside the project, since each is 200 MB.
 */
import { spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/** The package's version for each of Chromium's. */
const VERSIONS = { "103": "103.0.0", "119": "119.0.2", "138": "138.0.2" } as const;
export type ChromiumVersion = keyof typeof VERSIONS;

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "milepost-browsers");

function run(command: string, args: readonly string[], folder: string): string {
	const { status, stdout, stderr, error } = spawnSync(command, args, {
		cwd: folder,
		encoding: "utf8",
		timeout: 600_000,
	});
	if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim()}`);
	return stdout.trim();
}

/**
 * The path of a script that starts this Chromium with its bundled libraries; fetched the first
 * time.
 * @throws Error if unavailable
 */
export function findChromium(version: ChromiumVersion): string {
	const folder = join(CACHE, `chromium-${version}`);
	const script = join(folder, "start.sh");
	if (existsSync(script)) return script;
	console.log(`Fetching Chromium ${version} ...`);
	mkdirSync(CACHE, { recursive: true });
	// All or nothing: it gets its name last.
	const place = mkdtempSync(join(CACHE, "fetching-"));
	try {
		const file = run(
			"npm",
			["pack", "--silent", `@sparticuz/chromium@${VERSIONS[version]}`],
			place,
		);
		run("tar", ["xzf", file], place);
		const parts = join(place, "package", "bin");
		for (const name of readdirSync(parts).filter((each) => each.endsWith(".br"))) {
			const plain = join(parts, name.slice(0, -".br".length));
			writeFileSync(plain, brotliDecompressSync(readFileSync(join(parts, name))));
			rmSync(join(parts, name));
			// Libraries, fonts and a software GPU.
			if (!plain.endsWith(".tar")) continue;
			run("tar", ["xf", plain], parts);
			rmSync(plain);
		}
		chmodSync(join(parts, "chromium"), 0o755);
		const begin = [
			"#!/bin/sh",
			'here=$(dirname "$0")',
			// If the system has such a library, that is newer.
			'export LD_LIBRARY_PATH="$here/lib"',
			'exec "$here/chromium" "$@"',
		];
		writeFileSync(join(parts, "start.sh"), `${begin.join("\n")}\n`, { mode: 0o755 });
		renameSync(parts, folder);
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
	return script;
}
