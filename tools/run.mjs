/**
 * Runs a tool in this folder or in `lab`: `node tools/run.mjs start`. It needs only Node and npm: it installs
 * the packages if they are missing or the lockfile has changed, then bundles the tool, which is
 * TypeScript, and runs it.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`Milepost needs Node 20.19 or later; this is ${process.version}.`);
	process.exit(1);
}

/** Whether the installed packages match the lockfile; those for other platforms may be missing. */
function isInstalled() {
	try {
		const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
		const present = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")).packages;
		return Object.entries(wanted).every(
			([path, { version, optional }]) =>
				path === "" || (present[path] ? present[path].version === version : optional),
		);
	} catch {
		return false;
	}
}

if (!isInstalled()) {
	console.log("Installing packages (npm ci) ...");
	const install = spawnSync("npm", ["ci", "--loglevel=error"], {
		stdio: ["ignore", "ignore", "inherit"],
		shell: process.platform === "win32",
	});
	if (install.status !== 0) {
		console.error(
			"The packages couldn't be installed. See the npm ci output above; the package registry must be reachable.",
		);
		process.exit(1);
	}
}

/** Ends as if told to once nobody reads its output any more, as in `npm run doctor | head`. */
let isRead = true;
for (const stream of [process.stdout, process.stderr])
	stream.on("error", (error) => {
		if (!("code" in error) || error.code !== "EPIPE") throw error;
		if (isRead) process.kill(process.pid, "SIGTERM");
		isRead = false;
	});

/**
 * Ends with npm, which passes signals on to the shell that runs this; most shells don't, and leave
 * this process to another parent.
 */
const parent = process.ppid;
if (process.env.npm_lifecycle_script?.includes("tools/run.mjs")) {
	const watch = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(watch);
		process.kill(process.pid, "SIGTERM");
	}, 500);
	watch.unref();
}

const [name = "", ...rest] = process.argv.slice(2);
const outfile = `build/tools/${name}.mjs`;
// Several may bundle the same tool at once: each writes its own file and moves it into place.
const unfinished = `build/tools/.${name}-${process.pid}.mjs`;
try {
	const { build, stop } = await import("esbuild");
	await build({
		entryPoints: [existsSync(`lab/${name}.ts`) ? `lab/${name}.ts` : `tools/${name}.ts`],
		outfile: unfinished,
		bundle: true,
		platform: "node",
		format: "esm",
		target: "node20",
		packages: "external",
		logLevel: "silent",
	});
	await stop();
	renameSync(unfinished, outfile);
	process.argv = [process.argv[0] ?? "node", outfile, ...rest];
	await import(pathToFileURL(outfile).href);
} catch (error) {
	// esbuild's message is several lines.
	console.error(
		error?.errors?.[0]?.text ?? (error instanceof Error ? error.message : String(error)),
	);
	process.exit(1);
}
