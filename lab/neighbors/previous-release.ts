/**
 * The previous release according to CHANGELOG.md: its files, packages and build in a separate
 * folder, and a database as it would leave it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** Stops the tool. The message is one sentence that says what to do. */
export class NeighborFault extends Error {}

export type Release = {
	readonly version: string;
	readonly commit: string;
	/** Where it was checked out and built. */
	readonly folder: string;
	/** The names of its migrations. */
	readonly migrations: readonly string[];
};

/** The newest release in CHANGELOG.md, below the unreleased changes. */
export function releaseIn(changelog: string): { version: string; commit: string } {
	const found = /^## (\d+\.\d+\.\d+)\n\nCommit ([0-9a-f]{40})/m.exec(changelog);
	if (!found?.[1] || !found[2])
		throw new NeighborFault("CHANGELOG.md gives no release with its commit.");
	return { version: found[1], commit: found[2] };
}

function run(words: string, command: string, args: readonly string[], cwd: string, env = {}) {
	const ran = spawnSync(command, args, {
		cwd,
		encoding: "utf8",
		maxBuffer: 1 << 28,
		env: { ...process.env, ...env },
	});
	if (ran.status === 0) return ran.stdout;
	const reason = (ran.stderr || ran.stdout || String(ran.error)).trim().split("\n").at(-1);
	throw new NeighborFault(`${words}: ${reason}`);
}

/** Checks out its files from the history; a folder that has them is left alone. */
function unpack(commit: string, folder: string): void {
	if (existsSync(join(folder, "package.json"))) return;
	mkdirSync(folder, { recursive: true });
	const known = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]);
	if (known.status !== 0)
		throw new NeighborFault(
			`Commit ${commit} isn't in this clone, so the release can't be built: git fetch --unshallow brings the history.`,
		);
	const archive = join(folder, "release.tar");
	run("The release couldn't be unpacked", "git", ["archive", "-o", archive, commit], ".");
	run("The release couldn't be unpacked", "tar", ["-xf", archive, "-C", folder], ".");
}

/**
 * Checks out the release and builds it there with its own packages, which differ from ours.
 * @param folder empty, or filled by an earlier run
 */
export async function buildPreviousRelease(folder: string): Promise<Release> {
	const { version, commit } = releaseIn(readFileSync("CHANGELOG.md", "utf8"));
	unpack(commit, folder);
	if (!existsSync(join(folder, "node_modules", ".package-lock.json")))
		run(
			"The release's packages couldn't be installed",
			"npm",
			["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"],
			folder,
		);
	await bundleIn(folder);
	const migrations = readdirSync(join(folder, "migrations")).filter((name) =>
		name.endsWith(".sql"),
	);
	return { version, commit, folder, migrations: migrations.sort() };
}

/** Runs its own `bundle("local")`. */
async function bundleIn(folder: string): Promise<void> {
	const outfile = join(folder, "build", "neighbor.mjs");
	mkdirSync(join(folder, "build"), { recursive: true });
	const entry = join(folder, "build", "neighbor.ts");
	writeFileSync(entry, 'import { bundle } from "../tools/bundle.ts";\nawait bundle("local");\n');
	await build({
		entryPoints: [entry],
		outfile,
		bundle: true,
		platform: "node",
		format: "esm",
		packages: "external",
		logLevel: "error",
	});
	run("The release couldn't be built", process.execPath, [outfile], folder);
}

/** Makes a database with the release's own schema and its own seed. */
export function seedWithRelease(
	{ folder }: Release,
	state: string,
	{ logs, drivers }: { logs: number; drivers: number },
): void {
	const args = ["tools/run.mjs", "seed", `--logs=${logs}`, `--drivers=${drivers}`];
	run("The release's seed failed", process.execPath, args, folder, {
		MILEPOST_STATE: resolve(state),
	});
}
