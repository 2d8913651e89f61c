/**
 * The tests of money, dates, permissions, rules and the kernel take every branch of them. Whether a
 * test would notice a change to a branch is shown by `npm run mutants`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const FILES = [
	"app/values/{money,calendar-date,date-input,period,miles}.ts",
	"app/routing/permissions.ts",
	"app/domain/*/rules.ts",
	"app/domain/kernel/{transition,create-once}.server.ts",
];
/** Vitest runs each file whose path contains one of these. */
const TESTS = [
	"app/values/",
	"app/routing/permissions.test.ts",
	"rules.test.ts",
	"app/domain/analytics/thresholds.test.ts",
	...["kernel", "charges", "mileage", "fund-requests"].map((folder) => `app/domain/${folder}/`),
];

/** A file's coverage in Istanbul's summary. */
type Coverage = { readonly branches: { readonly total: number; readonly covered: number } };

function measure(): Record<string, Coverage> {
	const folder = mkdtempSync(join(tmpdir(), "milepost-branches-"));
	try {
		const coverage = [
			"enabled",
			"provider=v8",
			"reporter=json-summary",
			`reportsDirectory=${folder}`,
			...FILES.map((file) => `include=${file}`),
		].map((option) => `--coverage.${option}`);
		const { status, stdout, stderr } = spawnSync(
			"npx",
			["vitest", "run", "--project", "pure", "--project", "domain", ...TESTS, ...coverage],
			// Once is enough to take a branch.
			{ encoding: "utf8", env: { ...process.env, MILEPOST_TESTS: "" } },
		);
		if (status !== 0) throw new Error(stdout + stderr);
		return JSON.parse(readFileSync(join(folder, "coverage-summary.json"), "utf8"));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

it("every branch of money, dates, permissions, rules and the kernel is covered", () => {
	const { total, ...files } = measure();
	const missed = Object.entries(files).filter(
		([, { branches }]) => branches.covered < branches.total,
	);
	expect(missed.map(([file, { branches }]) => `${file}: ${JSON.stringify(branches)}`)).toEqual([]);
	expect(total?.branches.total).toBeGreaterThan(100);
	expect(Object.keys(files).length).toBeGreaterThanOrEqual(20);
	// A pattern that matches nothing would say nothing.
	const names = Object.keys(files).join("\n");
	for (const file of ["kernel/transition", "kernel/create-once", "permissions", "date-input"])
		expect(names).toContain(file);
}, 600_000);
