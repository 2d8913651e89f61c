/** The demo fleet has one of everything, and its books and flags are those the app would find. */

import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { refreshFlags } from "../../app/domain/mileage/commands/refresh-flags.server.ts";
import { draftWeek } from "../../app/domain/settlements/commands/draft.server.ts";
import { settlementsWithLines } from "../../app/domain/settlements/rows.server.ts";
import { toSettlement } from "../../app/domain/settlements/settlement.ts";
import { checkBooks } from "../../app/domain/upkeep/books-check.server.ts";
import { parseCalendarDate } from "../../app/values/calendar-date.ts";
import { weekAgo } from "../../tools/demo-cast.ts";
import { demoFleet } from "../../tools/demo-fleet.ts";
import { demoStatement } from "../../tools/demo-statement.ts";
import { seedDemo } from "../../tools/seed-database.ts";
import { ZONE } from "../support/cast.ts";
import { openDatabase } from "../support/database.ts";
import { blocksOf, countedRows, storedBlocks } from "../support/totals.ts";

const day = parseCalendarDate;
const NOW = Date.parse("2026-11-27T15:20:00Z");
const bench = await openDatabase("nobody", NOW);
const { rows, d1 } = bench;
const files = new Map<string, Uint8Array>();
const store = { put: async (key: string, bytes: Uint8Array) => void files.set(key, bytes) };
await seedDemo(d1, store as unknown as R2Bucket, NOW, ZONE);

const count = async (table: string, condition = "1") =>
	(await rows<{ n: number }>(`select count(*) as n from ${table} where ${condition}`))[0]?.n ?? 0;

it("has eight drivers with trips in twelve weeks, and everything that is decided about", async () => {
	expect(
		await rows(`select count(distinct driver_id) as drivers, count(distinct strftime('%W', driven_on)) as weeks
			from mileage_logs where voided_at is null`),
	).toEqual([{ drivers: 8, weeks: 12 }]);
	for (const status of ["pending", "approved", "rejected", "withdrawn"])
		expect(await count("fund_requests", `status = '${status}'`), status).toBeGreaterThan(0);
	for (const status of ["open", "paid", "cancelled"])
		expect(await count("payouts", `status = '${status}'`), status).toBeGreaterThan(0);
	for (const question of ["asked", "answered"])
		expect(await count("fund_requests", `question = '${question}'`), question).toBe(1);
	for (const flag of ["gap_miles is not null", "is_overlap", "is_out_of_order", "is_long"])
		expect(await count("mileage_logs", flag), flag).toBeGreaterThan(0);
	expect(await count("fund_requests", "approved_amount_cents < amount_cents")).toBe(2);
	expect(await count("fund_requests", "is_possible_duplicate")).toBe(1);
	expect(await count("fund_requests", "spent_on < date(requested_on, '-60 days')")).toBe(1);
	expect(await count("mileage_logs", "purpose is not null and personal_miles > 0")).toBeGreaterThan(
		0,
	);
	expect(
		await count(
			"receipts",
			"sha256 in (select sha256 from receipts group by 1 having count(*) > 1)",
		),
	).toBe(2);
	expect(await count("fee_imports")).toBe(3);
	expect(await count("uber_fees", "import_id is not null and is_credit")).toBe(1);
	expect(await count("agreements", "strftime('%w', starts_on) = '1'")).toBe(9);
	for (const kind of ["damage", "toll", "bonus"])
		expect(await count("charges", `kind = '${kind}'`), kind).toBe(1);
	expect(await count("charges", "instalments > 1 and settled_instalments = 1")).toBe(1);
	expect(await count("charges", "receipt_id is not null")).toBe(1);
	for (const question of ["asked", "answered"])
		expect(await count("settlements", `question = '${question}'`), question).toBe(1);
});

it("has a week that is paid, one that is published with a sum below zero, and one to settle", async () => {
	const settled = (condition: string) => count("settlements", condition);
	expect(await settled("status = 'paid' and week_from = '2026-11-02'")).toBe(5);
	expect(await settled("status = 'published' and week_from = '2026-11-09'")).toBe(8);
	expect(await settled("result_cents < 0 and carried_by is null and payout_id is null")).toBe(1);
	expect(await count("payouts", "settlement_count > 0 and status = 'paid'")).toBe(1);
	expect(await count("payouts", "settlement_count > 0 and status = 'open'")).toBe(1);
	expect(
		new Set(
			(await rows<{ kind: string }>("select kind from settlement_lines")).map((one) => one.kind),
		),
	).toEqual(
		new Set([
			"fares",
			"tips",
			"promotions",
			"tolls",
			"miles",
			"cash",
			"rent",
			"fee",
			"charge",
			"transfers",
		]),
	);
});

it("settles its weeks as the app works them out, and drafts the last one", async () => {
	expect(await count("settlement_marks")).toBe(0);
	// Works out every published week again, from today's books.
	await rows("insert into settlement_marks (driver_id, since) select id, '2026-01-01' from users");
	const admin = await bench.admin("ada");
	const drafted = await draftWeek(admin, weekAgo({ today: admin.today }, 1));
	expect(drafted).toMatchObject({ ok: true, value: { made: 8 } });
	const drafts = await admin.db.batch({
		rows: settlementsWithLines(admin.db.build).where(sql`settlements.status = 'draft'`),
	});
	for (const draft of drafts.rows.map(toSettlement)) {
		expect(draft.lines.filter(({ kind }) => kind === "correction")).toEqual([]);
		expect(draft.carriedInCents < 0).toBe(draft.driver.firstName === "Tom");
	}
});

it("stores every receipt's file, photos and PDFs", async () => {
	const stored = await rows<{ object_key: string; byte_size: number; media_type: string }>(
		"select object_key, byte_size, media_type from receipts",
	);
	expect(stored.length).toBeGreaterThanOrEqual(6);
	expect(new Set(stored.map(({ media_type }) => media_type)).size).toBe(2);
	for (const { object_key, byte_size } of stored) {
		expect(files.get(object_key)?.byteLength).toBe(byte_size);
		// Miniflare's bucket refuses any other kind, such as a Buffer.
		expect(files.get(object_key)?.constructor).toBe(Uint8Array);
	}
});

it("has the flags that the app gives these trips", async () => {
	const flags = () =>
		rows("select id, gap_miles, is_overlap, is_out_of_order from mileage_logs order by id");
	const before = await flags();
	const db = new Database(d1);
	await db.batch(refreshFlags(db.build, sql`1`));
	expect(await flags()).toEqual(before);
});

it("has totals and books that agree with its rows", async () => {
	expect(await storedBlocks(rows)).toEqual(blocksOf(await countedRows(rows)));
	for (const _ of Array(50))
		if (await checkBooks({ role: "system", db: new Database(d1), now: NOW }, ZONE)) break;
	expect(await rows("select action from audit_events where action like 'books.%'")).toEqual([
		{ action: "books.check" },
	]);
});

it("tells each change in the audit, in order", async () => {
	for (const [action, table, condition] of [
		["mileage.log", "mileage_logs", "1"],
		["request.submit", "fund_requests", "1"],
		["request.approve", "fund_requests", "status = 'approved'"],
		["request.reject", "fund_requests", "status = 'rejected'"],
		["payout.make", "payouts", "1"],
		["payout.pay", "payouts", "status = 'paid'"],
		["fee.add", "uber_fees", "import_id is null"],
		["fee.import", "fee_imports", "1"],
		["agreement.make", "agreements", "1"],
		["charge.add", "charges", "1"],
		["settlement.draft", "settlements", "1"],
		["settlement.ask", "settlement_messages", "author_role = 'driver'"],
		["settlement.answer", "settlement_messages", "author_role = 'admin'"],
		["settlement.publish", "settlements", "published_at is not null"],
	] as const)
		expect(await count("audit_events", `action = '${action}'`), action).toBe(
			await count(table, condition),
		);
	expect(
		await count(
			"(select at, lag(at) over (order by id) as before from audit_events)",
			"at < before",
		),
	).toBe(0);
});

it.each([
	"2026-11-22T03:00:00Z",
	"2026-11-29T04:30:00Z",
	"2026-03-01T05:10:00Z",
	"2027-01-01T12:00:00Z",
])("has nothing later than the moment it is made, at %s", (moment) => {
	const now = Date.parse(moment);
	for (const [table, seeded] of demoFleet(now).rows)
		for (const row of seeded)
			for (const column of [
				"created_at",
				"at",
				"decided_at",
				"paid_at",
				"approved_at",
				"published_at",
			])
				expect(Number(row[column] ?? 0), `${table}.${column}`).toBeLessThanOrEqual(now);
});

it("moves the sample statement to last week, with ids of its own", () => {
	const sample = demoStatement({ from: day("2026-11-02"), to: day("2026-11-08") });
	const moved = demoStatement({ from: day("2026-11-16"), to: day("2026-11-22") });
	expect([sample.name, moved.name]).toEqual([
		"20261102-20261109-payments_order-Milepost_Demo.csv",
		"20261116-20261123-payments_order-Milepost_Demo.csv",
	]);
	const [before, after] = [sample, moved].map(({ text }) =>
		text.split("\n").map((line) => line.split(",")),
	);
	expect(after?.length).toBe(before?.length);
	const idsOf = (table = before, column = 0) => (table ?? []).slice(1).map((row) => row[column]);
	expect(idsOf(after, 1)).toEqual(idsOf(before, 1));
	expect(idsOf(after, 9)).toEqual(idsOf(before, 9));
	expect(idsOf(after).filter((id) => id && idsOf(before).includes(id))).toEqual([]);
	expect(new Set(idsOf(after)).size).toBe(new Set(idsOf(before)).size);
	expect(moved.text).not.toMatch(/2026-11-0\d/);
});
