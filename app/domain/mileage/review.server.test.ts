/** Voiding as an administrator, and how the entries to review are found. */
import { describe, expect, it } from "vitest";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { AccessLost, openDatabase } from "../../../tests/support/database.ts";
import { insertLog, logId } from "../../../tests/support/mileage.ts";
import { blocksOf, countedRows, storedBlocks } from "../../../tests/support/totals.ts";
import { Database, type Statement } from "../../db/client.server.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import { logMileage } from "./commands/log.server.ts";
import { voidMileage } from "./commands/void.server.ts";
import { voidMileageAsAdmin } from "./commands/void-as-admin.server.ts";
import { listLogs } from "./queries.server.ts";
import {
	findEntry,
	listDriverEntries,
	listFlaggedDriverIds,
	listFlaggedEntries,
} from "./review.server.ts";

const NOON = Date.UTC(2026, 10, 21, 17);
const TODAY = parseCalendarDate("2026-11-21");
const bench = await openDatabase("everyone", NOON);
const sql = bench.rows;
const { build } = new Database(bench.batches);
await sql("delete from mileage_logs");

let made = 0;
/** A trip received a year ago by default. */
const trip = (owner: CastName, more: Record<string, string | number | null> = {}) =>
	insertLog(sql, ++made, owner, addDays(TODAY, -(made % 5)), 50, {
		created_at: NOON - 365 * 86_400_000,
		...more,
	});
const stored = async (id: string) =>
	(
		await sql<{ voided_at: number | null; voided_by: string; void_reason: string }>(
			"select * from mileage_logs where id = ?",
			id,
		)
	)[0];
const events = (id: string) =>
	sql<{ actor_id: string; actor_role: string; reason: string; before: string; after: string }>(
		"select * from audit_events where action = 'mileage.void' and entity_id = ?",
		id,
	);
const reason = "The readings are another van's";

describe("voidMileageAsAdmin", () => {
	it("voids any entry, however old, with the reason, in the audit and out of the totals", async () => {
		const readings = { date: "2026-11-20", start: 2000, end: 2050 };
		const id = await trip("dana", {
			...{ driven_on: readings.date, start_miles: readings.start, end_miles: readings.end },
		});
		const outcome = await voidMileageAsAdmin(await bench.admin("ben"), { id, reason });
		expect(outcome).toMatchObject({
			ok: true,
			value: {
				log: { id, voidReason: reason },
				driver: { firstName: "Dana" },
				voider: { firstName: "Ben", lastName: "Backup" },
			},
		});
		expect(await stored(id)).toMatchObject({
			voided_at: NOON,
			voided_by: idOf("ben"),
			void_reason: reason,
		});
		const [event, ...more] = await events(id);
		expect(more).toEqual([]);
		expect(event).toMatchObject({ actor_id: idOf("ben"), actor_role: "admin", reason });
		expect(JSON.parse(event?.before ?? "")).toEqual(readings);
		expect(JSON.parse(event?.after ?? "")).toEqual({ voidedAt: NOON });
		expect(await storedBlocks(sql)).toEqual(blocksOf(await countedRows(sql)));
	});

	it("voids once: a second attempt learns by whom and why, and changes nothing", async () => {
		const id = await trip("omar");
		expect((await voidMileageAsAdmin(await bench.admin("ada"), { id, reason })).ok).toBe(true);
		const again = await voidMileageAsAdmin(await bench.admin("ben"), { id, reason: "Another" });
		expect(again).toMatchObject({
			ok: false,
			reason: "already-voided",
			details: { log: { voidReason: reason }, voider: { firstName: "Ada" } },
		});
		expect(await stored(id)).toMatchObject({ voided_by: idOf("ada"), void_reason: reason });
		expect(await events(id)).toHaveLength(1);
	});

	it("doesn't find an unknown id", async () => {
		expect(
			await voidMileageAsAdmin(await bench.admin("ada"), { id: logId(9_999_999), reason }),
		).toMatchObject({ reason: "not-found" });
	});

	it("refuses an administrator who was deactivated or lost the role after the guard", async () => {
		const id = await trip("lena");
		const ben = await bench.admin("ben");
		for (const [change, back] of [
			["is_active = 0", "is_active = 1"],
			["role = 'none'", "role = 'admin'"],
		] as const) {
			await sql(`update users set ${change} where id = ?`, idOf("ben"));
			await expect(voidMileageAsAdmin(ben, { id, reason })).rejects.toThrow(AccessLost);
			await sql(`update users set ${back} where id = ?`, idOf("ben"));
		}
		expect((await stored(id))?.voided_at).toBeNull();
		expect(await events(id)).toEqual([]);
	});

	it("has one winner among administrators and the driver, with one audit row and that winner's reason, in 30 rounds", async () => {
		for (let round = 0; round < 30; round++) {
			const id = await trip("dana", { created_at: NOON - 1000 });
			const [ada, ben, dana] = [
				await bench.admin("ada"),
				await bench.admin("ben"),
				await bench.driver("dana"),
			];
			const outcomes = await Promise.all([
				voidMileageAsAdmin(ada, { id, reason: "Ada's" }),
				voidMileageAsAdmin(ben, { id, reason: "Ben's" }),
				voidMileage(dana, id),
			]);
			const winners = outcomes
				.map(({ ok }, position) => (ok ? position : -1))
				.filter((position) => position >= 0);
			expect(winners).toHaveLength(1);
			for (const outcome of outcomes)
				if (!outcome.ok) expect(outcome.reason).toBe("already-voided");
			const expected = [
				{ voided_by: idOf("ada"), void_reason: "Ada's" },
				{ voided_by: idOf("ben"), void_reason: "Ben's" },
				{ voided_by: idOf("dana"), void_reason: null },
			][winners[0] ?? 0];
			expect(await stored(id)).toMatchObject(expected ?? {});
			expect(await events(id)).toHaveLength(1);
		}
		expect(await storedBlocks(sql)).toEqual(blocksOf(await countedRows(sql)));
	});

	it("leaves the trip free to be logged again", async () => {
		const driver = await bench.driver("lena");
		const input = {
			date: TODAY,
			startOdometer: 1,
			endOdometer: 9,
			notes: undefined,
			key: undefined,
			confirm: undefined,
			correctsId: undefined,
		};
		const first = await logMileage(driver, input, "json");
		if (!first.ok) throw new Error(first.reason);
		await voidMileageAsAdmin(await bench.admin("ada"), { id: first.value.log.id, reason });
		expect((await logMileage(driver, input, "json")).ok).toBe(true);
	});
});

async function planOf(statement: Statement): Promise<string> {
	const { sql: text, params } =
		(
			statement as unknown as { getQuery?: () => { sql: string; params: unknown[] } } & {
				toSQL?: () => { sql: string; params: unknown[] };
			}
		).toSQL?.() ??
		(statement as unknown as { _prepare(): { getQuery(): { sql: string; params: unknown[] } } })
			._prepare()
			.getQuery();
	const steps = await sql<{ detail: string }>(`explain query plan ${text}`, ...params);
	return steps.map(({ detail }) => detail).join("\n");
}

describe("entries are found by an index alone", () => {
	const period = { from: addDays(TODAY, -30), to: TODAY };
	const after = { drivenOn: addDays(TODAY, -2), endMiles: 45_000, id: logId(1) };
	const flagged = "mileage_flagged (driven_on>? AND driven_on<?)";
	const inOrder = "mileage_by_driver_day (driver_id=? AND driven_on>? AND driven_on<?)";
	const onward =
		"mileage_by_driver_day (driver_id=? AND driven_on>? AND (driven_on,end_miles)<(?,?))";

	it.each<[string, Statement, string, boolean]>([
		["the fleet's flagged", listFlaggedEntries(build, period, 26), flagged, true],
		[
			"the fleet's flagged after one",
			listFlaggedEntries(build, period, 26, { way: "after", cursor: after }),
			"mileage_flagged (driven_on>? AND (driven_on,end_miles,id)<(?,?,?))",
			true,
		],
		["whose they are", listFlaggedDriverIds(build, period, 101), flagged, false],
		["a driver's", listDriverEntries(build, idOf("dana"), period, 26), inOrder, false],
		[
			"a driver's after one",
			listDriverEntries(build, idOf("dana"), period, 26, { way: "after", cursor: after }),
			onward,
			false,
		],
		[
			"the fleet's flagged before one",
			listFlaggedEntries(build, period, 26, { way: "before", cursor: after }),
			"mileage_flagged ((driven_on,end_miles,id)>(?,?,?) AND driven_on<?)",
			true,
		],
		[
			"a driver's before one",
			listDriverEntries(build, idOf("dana"), period, 26, { way: "before", cursor: after }),
			"mileage_by_driver_day (driver_id=? AND (driven_on,end_miles)>(?,?) AND driven_on<?)",
			false,
		],
		["one", findEntry(build, logId(1)), "sqlite_autoindex_mileage_logs_1 (id=?)", false],
		[
			"a driver's logs",
			listLogs(build, idOf("dana"), {}, 2500),
			"mileage_by_driver_day (driver_id=?)",
			false,
		],
		["a driver's logs of a range", listLogs(build, idOf("dana"), period, 2500), inOrder, false],
		[
			"a driver's logs of a range, the next page",
			listLogs(build, idOf("dana"), period, 2500, after),
			onward,
			false,
		],
		[
			"the fleet's logs of a range",
			listLogs(build, undefined, period, 2500),
			"mileage_by_day (driven_on>? AND driven_on<?)",
			false,
		],
		[
			"the fleet's logs, the next page",
			listLogs(build, undefined, period, 2500, after),
			"mileage_by_day (driven_on>? AND (driven_on,id)<(?,?))",
			false,
		],
	])("%s", async (_, statement, step, isPicked) => {
		const plan = await planOf(statement);
		expect(plan).toContain(step);
		expect(plan.replace("SCAN CONSTANT ROW", "")).not.toMatch(/SCAN/);
		// A page that was selected by its ids, at most 26, is sorted once more. Of a driver's trips only
		// those with the same date and end are.
		if (!isPicked)
			expect(plan.replace("TEMP B-TREE FOR LAST TERM", "")).not.toContain("TEMP B-TREE");
	});

	it("a page of flagged entries reads as many rows among 3,000 as among 30", async () => {
		await sql(`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, gap_miles)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
			select printf('41000000-0000-4000-8000-%012d', i), '${idOf("omar")}', date('2026-11-21', '-' || (i % 30) || ' days'), i * 10 + 900000, i * 10 + 900005, 'seed', 1, 'x', 5 from n`);
		const seen: string[] = [];
		let last: { drivenOn: typeof TODAY; endMiles: number; id: string } | undefined;
		for (let page = 1; page <= 5; page++) {
			const db = new Database(bench.batches);
			const { rows } = await db.batch({
				rows: listFlaggedEntries(build, period, 25, last && { way: "after", cursor: last }),
			});
			expect(db.cost.rows).toBeLessThan(160);
			seen.push(...rows.map(({ log }) => log.id));
			last = rows.at(-1)?.log;
		}
		const all = await sql<{ id: string }>(
			"select id from mileage_logs where voided_at is null and (gap_miles > 0 or is_overlap or is_out_of_order or is_long) order by driven_on desc, end_miles desc, id desc limit 125",
		);
		expect(seen).toEqual(all.map(({ id }) => id));
	});

	it("a driver's list has every log once, newest first, whatever the page size", async () => {
		const all = await sql<{ id: string }>(
			"select id from mileage_logs where driver_id = ? order by driven_on desc, end_miles desc, id desc",
			idOf("omar"),
		);
		for (const size of [700, 1000]) {
			const seen: string[] = [];
			const db = new Database(bench.batches);
			for (let page: { log: { id: string; drivenOn: typeof TODAY; endMiles: number } }[] = []; ; ) {
				page = (await db.batch({ rows: listLogs(build, idOf("omar"), {}, size, page.at(-1)?.log) }))
					.rows;
				seen.push(...page.map(({ log }) => log.id));
				if (page.length < size) break;
			}
			expect(seen).toEqual(all.map(({ id }) => id));
			expect(db.cost.rows).toBeLessThan(all.length * 2.1 + 10);
		}
	});
});
