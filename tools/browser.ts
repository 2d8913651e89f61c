/**
 * Finds a Chromium for the browser tests: the system's, else Playwright's, else Debian's package.
 * The headless shell comes first: the same engine without a desktop browser's windows, which cost
 * more CPU time than the pages do.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const DEBIAN_PACKAGES = ["chromium-headless-shell", "chromium"];
const NAMES = [...DEBIAN_PACKAGES, "chromium-browser", "google-chrome-stable", "google-chrome"];

function onPath(): string | undefined {
	const folders = (process.env.PATH ?? "").split(":");
	return NAMES.flatMap((name) => folders.map((folder) => `${folder}/${name}`)).find(existsSync);
}

function playwrights(): string | undefined {
	const path = chromium.executablePath();
	return path && existsSync(path) ? path : undefined;
}

const run = (command: string, args: string[]) =>
	spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], timeout: 600_000 }).status ===
	0;

/**
 * The path of a Chromium, which is installed if there is none.
 * @throws Error that says what to install if that fails
 */
export function findBrowser(): string {
	const chosen = process.env.MILEPOST_CHROMIUM;
	if (chosen) {
		if (existsSync(chosen)) return chosen;
		throw new Error(`MILEPOST_CHROMIUM is set to ${chosen}, which doesn't exist.`);
	}
	const found = onPath() ?? playwrights();
	if (found) return found;
	console.log("No Chromium found. Installing it with Playwright ...");
	if (run(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"])) {
		const installed = playwrights();
		if (installed) return installed;
	}
	if (process.platform === "linux" && existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
		console.log("Playwright couldn't install it. Installing Debian's chromium ...");
		run("apt-get", ["update", "-qq"]);
		for (const name of DEBIAN_PACKAGES) {
			run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name]);
			const installed = onPath();
			if (installed) return installed;
		}
	}
	throw new Error(
		"The browser tests need Chromium, and it couldn't be installed. Install your system's chromium package, or set MILEPOST_CHROMIUM to one.",
	);
}
