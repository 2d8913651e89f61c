/**
 * How the tools handle archived years: `npm run archive` itself, and backups, nightly exports and
 * the doctor, which must find trips in both databases.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { compareTotals } from "../../app/domain/analytics/compare.server.ts";
import { archiveYear } from "../../app/domain/archive/archive-year.server.ts";
import { closeYear } from "../../app/domain/archive/commands/close-year.server.ts";
import { COLUMNS } from "../../app/domain/archive/store.server.ts";
import { nightlyExport } from "../../app/domain/backups/nightly.server.ts";
import { openLocalPlace, type Place } from "../../tools/backup-place.ts";
import { restoreBackup, verifyBackup } from "../../tools/backup-read.ts";
import { backupTables } from "../../tools/backup-tables.ts";
import { writeBackup } from "../../tools/backup-write.ts";
import { runCheck } from "../../tools/doctor-checks.ts";
import { migrate } from "../../tools/migrate.ts";
import { fetchNightly } from "../../tools/nightly-read.ts";
import { insertSeed } from "../../tools/seed-database.ts";
import { buildTool, expectFault } from "../support/admin-tool.ts";
import { seedOf, ZONE } from "../support/cast.ts";
import { currentTime } from "../support/clock.ts";
import { openDatabase, type TestDatabase } from "../support/database.ts";
import { openFileStores } from "../support/file-store.ts";
import { daysAgo, midnight } from "../support/fleet-days.ts";
import { insertLog } from "../support/mileage.ts";
import { storedBlocks } from "../support/totals.ts";

const now = currentTime();
const YEAR = Number(daysAgo(0).slice(0, 4)) - 2;
const scratch = await mkdtemp(join(tmpdir(), "milepost-archive-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
const bench = await openDatabase("everyone", now);
const { receipts, backups } = await openFileStores("receipts", "backups");
const noFiles = { get: async () => undefined, put: async () => undefined };
const placeOf = ({ d1, archive }: TestDatabase): Place => ({
	name: "a test",
	db: d1,
	archive,
	receipts: noFiles,
	close: async () => undefined,
});
const entriesOf = ({ rows }: TestDatabase) =>
	rows(`select ${COLUMNS.join(", ")} from mileage_logs order by id`);
const trips = async (sql: TestDatabase["rows"]) => {
	for (let each = 0; each < 30; each++) {
		const day = `${YEAR}-03-${String(1 + each).padStart(2, "0")}`;
		await insertLog(sql, 1000 + each, "dana", day, 10 + each, {
			created_at: midnight(day),
			notes: `"Łódź"\n${each}`,
		});
	}
};

let before: unknown[] = [];
let totals: string[] = [];
beforeAll(async () => {
	await trips(bench.rows);
	[before, totals] = [await entriesOf(bench), await storedBlocks(bench.rows)];
	const operator = { role: "operator", db: new Database(bench.d1), now } as const;
	expect(await closeYear(operator, YEAR, ZONE)).toMatchObject({ ok: true });
	const run = await archiveYear(operator, new Database(bench.archive), YEAR);
	expect(run).toEqual({ isFinished: true, moved: 27 });
});

/** Expects everything in one database again, with the same totals. */
async function expectWhole(folder: string) {
	const target = await openDatabase("nobody", now);
	await restoreBackup(placeOf(target), folder, await verifyBackup(folder), undefined);
	expect(await entriesOf(target)).toEqual(before);
	expect(await storedBlocks(target.rows)).toEqual(totals);
	expect(await target.rows("select * from archived_years")).toEqual([]);
	expect((await compareTotals(new Database(target.d1))).wrong).toEqual([]);
}

describe("with an archived year", () => {
	it("keeps in the archive every column that an entry has", async () => {
		const tables = await backupTables(bench.d1);
		const entries = tables.find(({ name }) => name === "mileage_logs");
		expect([...(entries?.columns ?? [])].sort()).toEqual([...COLUMNS].sort());
	});

	it("a backup holds both databases, and is restored into one", async () => {
		const folder = join(scratch, "backup");
		// If interrupted between the copy and the removal, an entry is in both.
		await bench.archive
			.prepare(
				`insert into mileage_logs (${COLUMNS.join(", ")})
				select ${COLUMNS.map((name) => `value ->> '${name}'`).join(", ")} from json_each(?)`,
			)
			.bind(JSON.stringify((await entriesOf(bench)).slice(-1)))
			.all();
		await writeBackup(placeOf(bench), folder, undefined, () => now);
		const kept = "delete from mileage_logs where id in (select value from json_each(?))";
		const here = (await entriesOf(bench)).map(({ id }) => id);
		await bench.archive.prepare(kept).bind(JSON.stringify(here)).all();
		await expectWhole(folder);
		const without = { ...placeOf(bench), archive: undefined };
		await expect(writeBackup(without, join(scratch, "none"), undefined, () => now)).rejects.toThrow(
			"binds no database to ARCHIVE",
		);
	});

	it("a nightly export holds both, too", async () => {
		const places = { receipts, backups };
		const archive = new Database(bench.archive);
		for (let minute = 0; ; minute++) {
			const at = now + minute * 60_000;
			const system = { role: "system", db: new Database(bench.d1), now: at } as const;
			if (await nightlyExport(system, places, ZONE, { partRows: 20, archive })) break;
			expect(minute).toBeLessThan(30);
		}
		const store = {
			get: async (key: string) => {
				const object = await backups.get(key);
				return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
			},
			put: async () => undefined,
		};
		await fetchNightly(store, join(scratch, "nightly"));
		await expectWhole(join(scratch, "nightly"));
	});

	it("the doctor compares the archive with what was moved", async () => {
		const fleet = {
			...placeOf(bench),
			now,
			sendsMail: false,
			isDeployed: false,
			receiptsRead: 1,
		};
		expect(await runCheck("archive", fleet)).toEqual({
			isSound: true,
			words: `27 trips up to the end of ${YEAR}, as they were moved`,
		});
		expect((await runCheck("totals", fleet)).isSound).toBe(true);
		expect((await runCheck("archive", { ...fleet, archive: undefined })).words).toContain(
			"binds no database to ARCHIVE",
		);
		await bench.archive.prepare("update mileage_logs set end_miles = end_miles + 1").all();
		expect((await runCheck("archive", fleet)).isSound).toBe(false);
		await bench.archive.prepare("update mileage_logs set end_miles = end_miles - 1").all();
	});
});

it("npm run archive shows its plan, carries it out, and can be run again", async () => {
	const state = join(scratch, "state");
	const place = await openLocalPlace(state);
	await migrate(place.db);
	await insertSeed(place.db, seedOf(now, "everyone"));
	await trips(
		async (query, ...values) =>
			(
				await place.db
					.prepare(query)
					.bind(...values)
					.all<never>()
			).results,
	);
	await place.close();
	const tool = await buildTool("archive");
	try {
		const env = { MILEPOST_STATE: state };
		expectFault(await tool.run([], env), /Specify a year/);
		expectFault(await tool.run(["--year", String(YEAR + 1)], env), /is too recent/);
		const dry = await tool.run(["--year", String(YEAR), "--dry-run"], env);
		expect(dry.out).toBe(
			`30 trips up to the end of ${YEAR} aren't in the archive; each driver's latest 20 stay. Nothing stands in the way.\n`,
		);
		const done = await tool.run(["--year", String(YEAR)], env);
		expect(done).toMatchObject({
			code: 0,
			out: `${YEAR} is archived: 27 trips moved. No total has changed.\n`,
		});
		for (const year of [YEAR, YEAR - 1])
			for (const more of [[], ["--dry-run"]]) {
				const again = await tool.run(["--year", String(year), ...more], env);
				expect(again).toMatchObject({ code: 0, out: `${year} is archived already.\n` });
			}
		// Another year was broken off.
		const before = await openLocalPlace(state);
		await before.db.prepare("update archived_years set year = year - 1, finished_at = null").run();
		await before.close();
		for (const more of [[], ["--dry-run"]])
			expectFault(
				await tool.run(["--year", String(YEAR), ...more], env),
				new RegExp(`^${YEAR - 1} is being archived. Finish it first: --year ${YEAR - 1}\\.$`, "m"),
			);
	} finally {
		await tool.remove();
	}
});
