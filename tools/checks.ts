/** The checks that `npm run check` and `npm test` share. */
import { execFile } from "node:child_process";
import { startVitest } from "vitest/node";

const TSC = ["node_modules/typescript/bin/tsc", "--noEmit", "--incremental"];
const CHECKS: readonly (readonly [what: string, args: readonly string[]])[] = [
	["types", [...TSC, "--tsBuildInfoFile", "build/types.tsbuildinfo"]],
	// A service worker has other globals than a page, so it is checked separately.
	[
		"service worker types",
		[...TSC, "-p", "app/offline", "--tsBuildInfoFile", "build/service-worker.tsbuildinfo"],
	],
	["lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]],
];

/** Checks types, lint and formatting, one after the other; tests can run meanwhile. */
export async function checkCode(): Promise<Tally> {
	let failed = 0;
	for (const [what, args] of CHECKS)
		await new Promise<void>((done) =>
			execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
				if (error) failed += 1;
				console.log(error ? `${what}: failed\n${stdout}${stderr}` : `${what}: OK`);
				done();
			}),
		);
	return { passed: CHECKS.length - failed, failed, skipped: 0 };
}

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/**
 * Runs test projects.
 * @param projects names in vitest.config.ts
 * @param filters parts of file names; empty for all
 */
export async function runVitest(
	projects: string[],
	filters: string[],
	{ isShuffled = false } = {},
): Promise<Tally> {
	const vitest = await startVitest("test", filters, {
		run: true,
		watch: false,
		project: projects,
		passWithNoTests: true,
		...(isShuffled ? { sequence: { shuffle: { files: false, tests: true } } } : {}),
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
