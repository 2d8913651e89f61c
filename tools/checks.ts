/** The checks that `npm run check` and `npm test` share. */
import { spawnSync } from "node:child_process";
import { startVitest } from "vitest/node";

function passes(what: string, args: string[]): boolean {
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
	if (status === 0) console.log(`${what}: OK`);
	else console.error(`${what}: failed\n${stdout}${stderr}`);
	return status === 0;
}

/** Whether the types are right. */
export function checkTypes(): boolean {
	// A service worker has other globals than a page, so it is checked separately.
	return [["types"], ["service worker types", "-p", "app/offline"]]
		.map(([what = "", ...more]) =>
			passes(what, ["node_modules/typescript/bin/tsc", "--noEmit", ...more]),
		)
		.every(Boolean);
}

/** Whether lint and formatting pass. */
export function checkLint(): boolean {
	return passes("lint", [
		"node_modules/@biomejs/biome/bin/biome",
		"check",
		"--error-on-warnings",
		".",
	]);
}

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/**
 * Runs test projects.
 * @param projects names in vitest.config.ts
 * @param filters parts of file names; empty for all
 */
export async function runVitest(projects: string[], filters: string[]): Promise<Tally> {
	const vitest = await startVitest("test", filters, {
		run: true,
		watch: false,
		project: projects,
		passWithNoTests: true,
	});
	const tally = { passed: 0, failed: 0, skipped: 0 };
	for (const module of vitest.state.getTestModules()) {
		if (!module.ok() && module.children.allTests("failed").next().done) tally.failed += 1;
		for (const test of module.children.allTests()) {
			const { state } = test.result();
			if (state === "passed") tally.passed += 1;
			else if (state === "skipped") tally.skipped += 1;
			else tally.failed += 1;
		}
	}
	tally.failed += vitest.state.getUnhandledErrors().length;
	await vitest.close();
	return tally;
}
