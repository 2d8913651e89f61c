/**
 * Closing and archiving years, on two real D1: what moves and what stays, that no total changes,
 * and that a run can be interrupted anywhere.
 */
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { insertAgreement } from "../../../tests/support/agreements.ts";
import { type CastName, idOf } from "../../../tests/support/cast.ts";
import { currentTime } from "../../../tests/support/clock.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertLog, logId } from "../../../tests/support/mileage.ts";
import { insertRequest } from "../../../tests/support/requests.ts";
import { insertMoney, insertSettlement, published } from "../../../tests/support/settlements.ts";
import { storedBlocks } from "../../../tests/support/totals.ts";
import { Database } from "../../db/client.server.ts";
import { dateIn } from "../../values/calendar-date.ts";
import { compareTotals } from "../analytics/compare.server.ts";
import { recount } from "../analytics/recount.server.ts";
import { checkSeals, sealAudit } from "../audit/seal.server.ts";
import type { OperatorContext } from "../kernel/context.ts";
import { logMileage } from "../mileage/commands/log.server.ts";
import { voidMileageAsAdmin } from "../mileage/commands/void-as-admin.server.ts";
import { eraseAuditTexts } from "../personal-data/commands/erase-audit.server.ts";
import { archiveYear } from "./archive-year.server.ts";
import { WEEKS_OPEN_FROM } from "./closed-years.server.ts";
import { closeYear, yearState } from "./commands/close-year.server.ts";
import { lastDayOf, weeksOpenAfter } from "./rules.ts";
import { COLUMNS } from "./store.server.ts";

const ZONE = "America/New_York";
const now = currentTime();
const bench = await openDatabase("everyone", now);
const { rows, archive: store } = bench;
const db = new Database(bench.batches);
const archive = new Database(store);
const YEAR = Number(dateIn(ZONE, now).slice(0, 4)) - 2;
const LONG_AGO = Date.UTC(YEAR, 11, 31);
let later = now;
const operator = (database = db): OperatorContext => ({
	role: "operator",
	db: database,
	now: ++later,
});
/** Recalculates totals, which reads whole tables. */
const recountAll = () => recount(new Database(bench.d1));

/** Texts that have broken copying before. */
const AWKWARD = [
	"Łódź ↔ 'quoted' \"double\" `tick`",
	'line\nline\r\n\ttab, comma; [1,2] {"a":null}',
	"null",
	"1e3",
	"=SUM(A1)\\u0041 \\ \u2028 \u{1f697}\u200d",
	"x".repeat(1000),
];

const kept = async () =>
	(await store.prepare("select id from mileage_logs").all<{ id: string }>()).results.map(
		({ id }) => id,
	);
const here = async () =>
	(await rows<{ id: string }>("select id from mileage_logs")).map(({ id }) => id);
const whole = (source: "store" | "rows") => {
	const sql = "select * from mileage_logs order by id";
	return source === "rows"
		? rows(sql)
		: store
				.prepare(sql)
				.all()
				.then(({ results }) => results);
};

/** A driver's trips on the first days of a year. */
async function trips(sql: typeof rows, owner: CastName, from: number, count: number, year: number) {
	for (let each = 0; each < count; each++)
		await insertLog(
			sql,
			from + each,
			owner,
			`${year}-0${1 + (each % 9)}-${String(1 + (each % 28)).padStart(2, "0")}`,
			10 + each,
			{ created_at: LONG_AGO + each, notes: AWKWARD[each % AWKWARD.length] ?? null },
		);
}

/** Fills each column that no trip has a value in, also those of later releases. */
async function fillEmptyColumns() {
	const columns = await rows<{ name: string }>(
		"select name from pragma_table_xinfo('mileage_logs') where hidden = 0",
	);
	for (const { name } of columns)
		await rows(
			`update mileage_logs set ${name} = 1 where (select count(${name}) from mileage_logs) = 0`,
		);
}

/** Runs something during one trip. */
async function together(write: (sql: typeof rows) => Promise<unknown>) {
	const list: D1PreparedStatement[] = [];
	await write(async (query, ...values) => {
		list.push(bench.d1.prepare(query).bind(...values));
		return [];
	});
	await bench.d1.batch(list);
}

/** No trips, requests or totals, here or in the archive. */
const EMPTY = [
	"delete from archived_days",
	"delete from archived_years",
	"update mileage_logs set corrects_id = null where corrects_id is not null",
	"delete from mileage_logs",
	"delete from fund_requests",
	"delete from block_totals",
];

beforeEach(async () => {
	await store.prepare("drop table if exists mileage_logs").all();
	await together(fill);
});

async function fill(sql: typeof rows) {
	for (const query of EMPTY) await sql(query);
	await trips(sql, "dana", 1000, 4, YEAR - 1);
	await trips(sql, "dana", 1100, 6, YEAR);
	await trips(sql, "dana", 1200, 20, YEAR + 1);
	await trips(sql, "ivan", 2000, 23, YEAR);
	await trips(sql, "lena", 3000, 3, YEAR);
	const voided = { voided_at: LONG_AGO + 5, created_at: LONG_AGO };
	// Voided by her, corrected within the year, corrected into the next one, voided for her.
	await insertLog(sql, 1300, "dana", `${YEAR}-02-01`, 7, { ...voided, voided_by: idOf("dana") });
	await insertLog(sql, 1301, "dana", `${YEAR}-02-02`, 8, {
		created_at: LONG_AGO,
		corrects_id: logId(1300),
		submission_key: "again",
		gap_miles: 4,
		is_long: 1,
	});
	await insertLog(sql, 1302, "dana", `${YEAR}-12-30`, 9, { ...voided, voided_by: idOf("dana") });
	await insertLog(sql, 1303, "dana", `${YEAR + 1}-01-02`, 9, {
		created_at: LONG_AGO,
		corrects_id: logId(1302),
	});
	await insertLog(sql, 1304, "dana", `${YEAR}-03-01`, 5, {
		...voided,
		voided_by: idOf("ada"),
		void_reason: "Wrong van",
	});
}

describe("a year is closed", () => {
	it("only before last year", async () => {
		expect(await closeYear(operator(), YEAR + 1, ZONE)).toEqual({
			ok: false,
			reason: "too-early",
			details: { latest: YEAR },
		});
	});

	it("only when nothing in it is pending, unpaid, voidable by its driver, or a week to settle", async () => {
		const at = { created_at: Date.UTC(YEAR, 5, 1), requested_on: `${YEAR}-06-01` };
		await insertRequest(rows, 9001, "dana", { ...at, status: "pending" });
		await insertRequest(rows, 9002, "dana", {
			...at,
			status: "approved",
			decided_at: 1,
			decided_by: idOf("ada"),
		});
		await insertLog(rows, 4003, "dana", `${YEAR}-06-01`, 5);
		await insertSettlement(rows, 1, "dana", `${YEAR}-06-03`, published(100));
		await insertSettlement(rows, 2, "dana", `${YEAR}-06-10`, published(-100));
		await insertSettlement(rows, 3, "dana", `${YEAR + 1}-04-05`);
		await insertSettlement(rows, 4, "dana", `${YEAR + 1}-04-06`);
		// Under an agreement, in weeks with a settlement and without one.
		await insertAgreement(rows, 1, "dana", `${YEAR}-01-01`);
		for (const day of [`${YEAR}-06-03`, `${YEAR}-07-01`])
			await insertMoney(rows, day, "dana", { from: day, to: day }, { tip_cents: 100 });
		const details = { pending: 1, unpaid: 1, recent: 1, weeks: 2 };
		expect(await closeYear(operator(), YEAR, ZONE)).toEqual({
			ok: false,
			reason: "unsettled",
			details,
		});
		expect(await yearState(db, YEAR, now)).toMatchObject({
			...details,
			...{ undrafted: 1, closed: null },
		});
		// The first day that the command and the statements go by is one.
		await rows("insert into archived_years (year, closed_at) values (?, 1)", YEAR);
		const { open } = await db.batch({
			open: db.build.all<{ day: string }>(sql`select ${WEEKS_OPEN_FROM} as day`),
		});
		expect(open[0]?.day).toBe(weeksOpenAfter(YEAR));
		await rows("delete from archived_years");
		expect(await rows("select * from archived_years")).toEqual([]);
	});

	it("once, together with the years before it", async () => {
		expect(await closeYear(operator(), YEAR - 1, ZONE)).toMatchObject({ ok: true });
		expect(await closeYear(operator(), YEAR, ZONE)).toMatchObject({
			reason: "other-year",
			details: { year: YEAR - 1 },
		});
		await archiveYear(operator(), archive, YEAR - 1);
		expect(await closeYear(operator(), YEAR - 1, ZONE)).toMatchObject({ reason: "archived" });
		expect(await closeYear(operator(), YEAR, ZONE)).toMatchObject({ ok: true });
		await archiveYear(operator(), archive, YEAR);
		expect(await closeYear(operator(), YEAR - 1, ZONE)).toMatchObject({ reason: "archived" });
	});

	it("and then accepts no trip and loses none", async () => {
		await closeYear(operator(), YEAR, ZONE);
		const trip = { startOdometer: 5, endOdometer: 6, notes: undefined, confirm: undefined };
		const date = lastDayOf(YEAR);
		const logged = await logMileage(await bench.driver("dana"), { ...trip, date }, "json");
		expect(logged).toMatchObject({ ok: false, reason: "closed-year" });
		const voiding = async (number: number) =>
			voidMileageAsAdmin(await bench.admin("ada"), { id: logId(number), reason: "Wrong" });
		expect(await voiding(1100)).toMatchObject({ ok: false, reason: "closed-year" });
		await archiveYear(operator(), archive, YEAR);
		expect(await here()).not.toContain(logId(1100));
		expect(await voiding(1100)).toMatchObject({ ok: false, reason: "closed-year" });
		expect(await voiding(7777)).toMatchObject({ ok: false, reason: "not-found" });
		expect(await voiding(1200)).toMatchObject({ ok: true });
	});
});

describe("a closed year is archived", () => {
	it("entry by entry, with every column and no change in any total", async () => {
		await fillEmptyColumns();
		const [before, totals] = [await whole("rows"), await storedBlocks(rows)];
		await closeYear(operator(), YEAR, ZONE);
		const { moved, isFinished } = await archiveYear(operator(), archive, YEAR);
		expect(isFinished).toBe(true);
		const [left, gone] = [await whole("rows"), await whole("store")];
		expect(gone).toHaveLength(moved);
		// All but four of Dana's, all but the last twenty of Ivan's, none of Lena's.
		expect(moved).toBe(4 + 6 + 4 - 3 + 3);
		const all = [...left, ...gone].sort((one, other) =>
			String(one.id) < String(other.id) ? -1 : 1,
		);
		expect(all).toEqual(before);
		expect(await storedBlocks(rows)).toEqual(totals);
		expect(await compareTotals(db)).toMatchObject({ wrong: [] });
		await recountAll();
		expect(await storedBlocks(rows)).toEqual(totals);
		const [events] = await rows<{ after: string }>(
			"select after from audit_events where action = 'year.archive' order by id desc limit 1",
		);
		expect(JSON.parse(events?.after ?? "")).toEqual({ entries: moved });
	});

	it("except for what other rows need", async () => {
		await closeYear(operator(), YEAR, ZONE);
		await archiveYear(operator(), archive, YEAR);
		const dated = await rows<{ id: string }>(
			"select id from mileage_logs where driver_id = ? and driven_on <= ? order by id",
			idOf("dana"),
			`${YEAR}-12-31`,
		);
		const [last] = await rows<{ id: string }>(
			"select max(id) as id from mileage_logs where id < ?",
			logId(1106),
		);
		// The last trip, what is corrected by one that stays, and what an administrator voided.
		expect(dated.map(({ id }) => id)).toEqual([last?.id, logId(1302), logId(1304)]);
		const ivans = await rows("select id from mileage_logs where driver_id = ?", idOf("ivan"));
		expect(ivans).toHaveLength(20);
	});

	it("but not while the nightly export is running", async () => {
		await closeYear(operator(), YEAR, ZONE);
		await rows("insert into daily_tasks (name, cursor) values ('export', '{}')");
		expect(await archiveYear(operator(), archive, YEAR)).toEqual({ isFinished: false, moved: 0 });
		await rows("delete from daily_tasks where name = 'export'");
		expect(await archiveYear(operator(), archive, YEAR)).toMatchObject({ isFinished: true });
	});

	it("without any text that was pseudonymized meanwhile", async () => {
		await closeYear(operator(), YEAR, ZONE);
		const changed = withFault(bench.batches, 2, () =>
			rows(
				"update mileage_logs set notes = null, payload_hash = 'removed' where driver_id = ?",
				idOf("dana"),
			),
		);
		await archiveYear(operator(new Database(changed)), archive, YEAR);
		const words =
			"select count(*) as n from mileage_logs where driver_id = ? and notes is not null";
		const found = await store.prepare(words).bind(idOf("dana")).all();
		expect(found.results).toEqual([{ n: 0 }]);
		// Earlier archived trips are erased with the audit's texts.
		await rows("update users set pseudonymized_at = 1 where id = ?", idOf("ivan"));
		await sealAudit({ role: "system", db, now }, ZONE);
		await eraseAuditTexts({ role: "system", db, now }, archive);
		const ivans = await store.prepare(words).bind(idOf("ivan")).all();
		expect(ivans.results).toEqual([{ n: 0 }]);
		expect((await checkSeals(db)).kind).toBe("sound");
		await rows("update users set pseudonymized_at = null, audit_erased_at = null");
	});

	it("wherever it is interrupted: nothing is lost or counted twice", async () => {
		await rows("delete from mileage_logs where driver_id <> ?", idOf("dana"));
		const [all, totals] = [await here(), await storedBlocks(rows)];
		const dump = JSON.stringify(await whole("rows"));
		let faults = 0;
		// Interrupted before a batch, everything is as after the previous one.
		for (const side of ["rows", "store"] as const)
			for (let at = 1; ; at++) {
				await closeYear(operator(), YEAR, ZONE);
				const broken = new Database(withFault(side === "rows" ? bench.batches : store, at));
				const isDone = await archiveYear(
					operator(side === "rows" ? broken : db),
					side === "store" ? broken : archive,
					YEAR,
				).then(
					() => true,
					(error) => !/killed/.test(String(error)),
				);
				if (isDone) break;
				faults += 1;
				const ids = [...(await here()), ...(await kept().catch(() => []))];
				expect([...new Set(ids)].sort(), `${side} ${at}`).toEqual([...all].sort());
				expect(await storedBlocks(rows)).toEqual(totals);
				await archiveYear(operator(), archive, YEAR);
				const after = [...(await here()), ...(await kept())];
				expect(after.sort(), `${side} ${at}`).toEqual([...all].sort());
				expect(await storedBlocks(rows)).toEqual(totals);
				await putBack(dump);
			}
		expect(faults).toBeGreaterThan(10);
	});
});

/** Everything as it was before. */
async function putBack(dump: string) {
	await store.prepare("delete from mileage_logs").all();
	const values = COLUMNS.map((name) => `value ->> '${name}'`).join(", ");
	await together(async (sql) => {
		for (const query of EMPTY) await sql(query);
		await sql(
			`insert into mileage_logs (${COLUMNS.join(", ")}) select ${values} from json_each(?)`,
			dump,
		);
	});
}

/** A database that fails a batch with a given number although it has run, or acts at that point. */
function withFault(inner: D1Database, at: number, act?: () => Promise<unknown>): D1Database {
	let number = 0;
	return {
		prepare: (sql: string) => inner.prepare(sql),
		batch: async (list: D1PreparedStatement[]) => {
			const answers = await inner.batch(list);
			if (++number !== at) return answers;
			if (!act) throw new Error("killed");
			await act();
			return answers;
		},
	} as unknown as D1Database;
}
