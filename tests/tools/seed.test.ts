/**
 * `npm run seed`, actually run: rows that obey every rule, matching totals, and clear messages for
 * what it can't do.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { processStart } from "../../tools/child-workerd.ts";
import { storageOptions } from "../../tools/local-worker.ts";
import { blocksOf, countedRows, storedBlocks } from "../support/totals.ts";

const TOOL = "build/tools/seed-under-test.mjs";
const state = await mkdtemp(join(tmpdir(), "milepost-seed-"));
afterAll(() => rm(state, { recursive: true, force: true }));
beforeAll(async () => {
	const options = {
		bundle: true,
		platform: "node",
		format: "esm",
		packages: "external",
		logLevel: "error",
	} as const;
	await build({ entryPoints: ["tools/seed.ts"], outfile: TOOL, ...options });
});
const seed = (...args: string[]) =>
	spawnSync(process.execPath, [TOOL, ...args], {
		env: { ...process.env, MILEPOST_STATE: state },
		encoding: "utf8",
	});

it("fills a database, once", async () => {
	const ran = seed("--logs", "3000", "--drivers", "30");
	expect([ran.status, ran.stderr]).toEqual([0, ""]);
	expect(ran.stdout).toMatch(
		/3,000 of 3,000 mileage_logs[\s\S]*300 of 300 fund_requests[\s\S]*150 of 150 uber_fees[\s\S]*Done in/,
	);
	const again = seed("--logs", "10");
	expect([again.status, again.stderr.trim().split("\n").length]).toEqual([1, 1]);
	expect(again.stderr).toContain("has already been seeded, completely or in part. Choose another");

	const worker = new Miniflare(storageOptions(state));
	try {
		const db = await worker.getD1Database("DB");
		const sql = async <Row>(query: string) => (await db.prepare(query).all<Row>()).results;
		expect(await storedBlocks(sql)).toEqual(blocksOf(await countedRows(sql)));
		expect(
			await sql(
				"select count(*) as n, count(distinct driver_id) as drivers, count(distinct driven_on) as days from mileage_logs where id like 'b%'",
			),
		).toEqual([{ n: 3000, drivers: 30, days: 100 }]);
		// A driver's odometer continues without overlaps, and flagged gaps are gaps.
		expect(
			await sql(`select count(*) as wrong from (select start_miles - lag(end_miles) over (partition by driver_id order by end_miles) as gap, gap_miles
				from mileage_logs where id like 'b%') where gap is not null and gap <> coalesce(gap_miles, 0)`),
		).toEqual([{ wrong: 0 }]);
		expect(
			await sql(
				"select name from sqlite_master where type = 'trigger' and name like '%totals_on_insert'",
			),
		).toHaveLength(3);
	} finally {
		await worker.dispose();
	}
});

it("leaves a folder alone that a server uses, whose writes it would lock out", async () => {
	const server = join(state, "server.json");
	const { pid } = process;
	await writeFile(server, JSON.stringify({ pid, port: 1234, startedAt: processStart(pid) }));
	const { status, stdout, stderr } = seed("--logs", "10");
	await rm(server);
	expect([status, stdout, stderr]).toEqual([
		1,
		"",
		`${state} is in use by the server at http://localhost:1234 (process ${pid}). Stop it, or choose another folder: MILEPOST_STATE='${state}-2' npm run seed\n`,
	]);
});

it.each([
	[["--logs", "0"], "--logs must be a whole number from 1 to 10000000."],
	[["--logs", "1e3"], "--logs must be a whole number"],
	[["--logs", "10", "--drivers", "20"], "at least one trip for each driver"],
	[["--frob"], "Unknown option '--frob'"],
	[["--logs", "10000000", "--drivers", "1"], "Too many trips per driver"],
])("refuses %j in one line", (args, words) => {
	const { status, stderr } = seed(...args);
	expect([status, stderr.trim().split("\n").length]).toEqual([1, 1]);
	expect(stderr).toContain(words);
});
