/** Drivers' money imported and undone with the fees of a statement, on real D1 and R2. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { importFile, planFile } from "../../../tests/support/sent-statements.ts";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import type { Answers } from "./answers.ts";
import type { ImportMode } from "./commands/import.server.ts";
import { undoImport } from "./commands/undo-import.server.ts";
import { listDriverWeeks } from "./driver-weeks.server.ts";
import { unknownDriversOf } from "./unknown-drivers.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const DANA = "f1e1d000-0000-4000-8000-000000000003";
const OMAR = "f1e1d000-0000-4000-8000-000000000004";
const drivers = { [DANA]: idOf("dana"), [OMAR]: idOf("omar") };
const WEEK = "20261109-20261116-payments_driver-Example.csv";
const ORDERS = "20261109-20261116-payments_order-Example.csv";

/** Cells of a week's row: total, fare, fee, tip, toll, cash. */
type Cells = readonly [string, string, string, string, string, string];
const week = (rows: Readonly<Record<string, Cells>>) =>
	[
		`Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee,Paid to you:Your earnings:Tip,Paid to you:Trip balance:Refunds:Toll,Paid to you:Trip balance:Payouts:Cash Collected`,
		...Object.entries(rows).map(([id, cells]) => [id, "A", "Driver", ...cells].join(",")),
		"",
	].join("\n");
const DANAS: Cells = ["71.00", "100.00", "-25.00", "5.00", "1.00", "-10.00"];
const OMARS: Cells = ["4.50", "0", "0", "4.50", "0", "0"];
const FIRST = week({ [DANA]: DANAS, [OMAR]: OMARS });

const TRIP_1 = "a982c35d-e398-33a8-a316-af54f58584ce";
const TRIP_2 = "d4d0eb2f-f3a9-36f3-9e66-6c217da21da2";
const orders = (rows: Readonly<Record<string, readonly [at: string, ...string[]]>>) =>
	[
		"transaction UUID,Driver UUID,Driver first name,Driver last name,Trip UUID,Description,vs reporting,Paid to you,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee",
		...Object.entries(rows).map(([id, [at, ...cells]]) =>
			[id, DANA, "A", "Driver", "", "trip completed order", at, ...cells].join(","),
		),
		"",
	].join("\n");

async function send(
	text: string,
	{
		mode = "all",
		name = WEEK,
		...answers
	}: Partial<Answers> & { mode?: ImportMode; name?: string } = {},
) {
	return importFile(mode, await bench.admin("ada"), store, text, name, { drivers, ...answers });
}
async function sent(...args: Parameters<typeof send>) {
	const outcome = await send(...args);
	if (!outcome.ok) throw new Error(`not imported: ${outcome.reason}`);
	return outcome.value;
}
const undo = async (id: string | undefined) => undoImport(await bench.admin("ben"), id ?? "");
const kept = () =>
	bench.rows(`select driver_id as driver, counts_from as "from", counts_to as "to", proof,
		fare_cents as fare, fee_cents as fee, tip_cents as tip, toll_cents as toll, cash_cents as cash
		from statement_money where is_live = 1 order by driver_id, counts_to`);
const fees = () =>
	bench.rows("select driver_id, amount_cents from uber_fees where deleted_at is null");
const DAYS = { from: "2026-11-09", to: "2026-11-15", proof: "proven" };
const KEPT = [
	{ driver: idOf("dana"), ...DAYS, fare: 10_000, fee: -2_500, tip: 500, toll: 100, cash: -1_000 },
	{ driver: idOf("omar"), ...DAYS, fare: 0, fee: 0, tip: 450, toll: 0, cash: 0 },
];
const byDriver = <Row extends { readonly driver: string }>(rows: readonly Row[]) =>
	[...rows].sort((one, other) => (one.driver < other.driver ? -1 : 1));

beforeEach(async () => {
	await bench.rows("update uber_fees set replaces_id = null where replaces_id is not null");
	for (const table of [
		"uber_fees",
		"fee_imports",
		"statement_lines",
		"statement_money",
		"platform_drivers",
	])
		await bench.rows(`delete from ${table}`);
});

describe("the money of a week's file", () => {
	it("is kept with its fees, also of a driver without one, and undone with them", async () => {
		const { import: made, plan } = await sent(FIRST);
		expect(await kept()).toEqual(byDriver(KEPT));
		expect(await fees()).toHaveLength(1);
		expect(plan.money).toMatchObject({ rows: 2, proven: 2, unproven: [], ready: 2 });
		expect(await bench.rows("select name from platform_drivers")).toEqual([
			{ name: "A Driver" },
			{ name: "A Driver" },
		]);
		expect((await undo(made?.id)).ok).toBe(true);
		expect(await bench.rows("select * from statement_money")).toEqual([]);
		expect(await fees()).toEqual([]);
		await sent(FIRST);
		expect(await kept()).toEqual(byDriver(KEPT));
	});

	it("is summed by its week, until it's undone and unless it doesn't add up", async () => {
		const { db } = await bench.admin("ada");
		const weeks = async (since: string) =>
			(await db.batch({ weeks: listDriverWeeks(db.build, idOf("dana"), parseCalendarDate(since)) }))
				.weeks;
		const { import: made } = await sent(FIRST);
		const sums = { fareCents: 10_000, tipCents: 500, tollCents: 100, cashCents: -1_000 };
		expect(await weeks("2026-11-15")).toEqual([{ from: "2026-11-09", ...sums }]);
		// Also with days before the first listed week.
		await bench.rows(
			"update statement_money set counts_from = '2026-11-10', counts_to = '2026-11-10'",
		);
		expect(await weeks("2026-11-15")).toEqual([{ from: "2026-11-09", ...sums }]);
		expect(await weeks("2026-11-16")).toEqual([]);
		await bench.rows(
			"update statement_money set counts_from = '2026-11-08', counts_to = '2026-11-15'",
		);
		expect(await weeks("2026-11-01")).toEqual([]);
		await undo(made?.id);
		await sent(week({ [DANA]: ["72.00", ...DANAS.slice(1)] as unknown as Cells }));
		expect(await weeks("2026-11-01")).toEqual([]);
	});

	it("counts once, whatever is sent again", async () => {
		await sent(FIRST);
		const { import: again, plan } = await sent(FIRST);
		expect(again).toBeUndefined();
		expect(plan.money).toMatchObject({ ready: 0, before: 2, changed: [] });
		expect(await kept()).toHaveLength(2);
	});

	it("is added alone where the fees were imported before it was kept", async () => {
		await sent(FIRST);
		await bench.rows("delete from statement_money");
		const { import: made } = await sent(FIRST);
		expect(made).toMatchObject({ isMoneyOnly: true, rowCount: 2 });
		expect(await kept()).toEqual(byDriver(KEPT));
		expect(await fees()).toHaveLength(1);
		expect((await undo(made?.id)).ok).toBe(true);
		expect(await kept()).toEqual([]);
		expect(await fees()).toHaveLength(1);
	});

	it("waits for a driver who isn't matched, and holds nothing else up", async () => {
		const { plan, import: made } = await sent(FIRST, { drivers: { [DANA]: idOf("dana") } });
		expect(plan.money?.unmatched).toMatchObject([{ platformId: OMAR, rows: 1, cents: 450 }]);
		expect(made).toMatchObject({ unmatchedDrivers: 1, unmatchedCents: 450 });
		expect(await kept()).toHaveLength(1);
		const { plan: whole, import: rest } = await sent(FIRST);
		expect(whole.money).toMatchObject({ ready: 1, before: 1, unmatched: [] });
		expect(rest).toMatchObject({ unmatchedDrivers: 0, unmatchedCents: 0 });
		expect(await kept()).toHaveLength(2);
		expect(await fees()).toHaveLength(1);
	});

	it("remembers how many unknown drivers it left out and what they are due, and no name", async () => {
		const some = { drivers: { [DANA]: idOf("dana") }, mode: "ready" } as const;
		const LENA = "f1e1d000-0000-4000-8000-000000000005";
		// A driver with a fee but no money that adds up counts once, by the stated total.
		const lena: Cells = ["9.99", "20.00", "-5.00", "0", "0", "0"];
		const text = week({ [DANA]: DANAS, [OMAR]: OMARS, [LENA]: lena });
		expect((await sent(text, some)).import).toMatchObject({
			...{ unmatchedDrivers: 2, unmatchedCents: 450 + 999 },
		});
		const kept = JSON.stringify(await bench.rows("select * from fee_imports"));
		for (const text of [OMAR, LENA, "Driver"]) expect(kept).not.toContain(text);
	});

	it("is kept as unproven where it doesn't add up, and its fees are recorded", async () => {
		const { plan } = await sent(week({ [DANA]: ["72.00", ...DANAS.slice(1)] as unknown as Cells }));
		expect(plan.money).toMatchObject({
			...{ rows: 1, proven: 0, unproven: [{ row: 2, stated: 7_200, found: 7_100 }] },
			totals: { fare: 0, tip: 0 },
		});
		expect(await kept()).toMatchObject([{ proof: "unproven", fare: 10_000 }]);
		expect(await fees()).toHaveLength(1);
	});

	it("is proven by a later file that adds up to the same amounts", async () => {
		await sent(week({ [DANA]: ["72.00", ...DANAS.slice(1)] as unknown as Cells }));
		const { import: made } = await sent(FIRST);
		expect(await kept()).toEqual(byDriver(KEPT));
		await undo(made?.id);
		expect(await kept()).toMatchObject([{ proof: "unproven", fare: 10_000 }]);
	});

	it("is a question where the file states no total", async () => {
		const bare = FIRST.replace("Paid to you,", ",");
		expect(await send(bare)).toMatchObject({
			reason: "open-needs",
			details: { needs: ["unproven"] },
		});
		expect(await kept()).toEqual([]);
		expect((await sent(bare, { unproven: true })).plan.money).toMatchObject({ rows: 2, proven: 0 });
		expect(await kept()).toMatchObject([{ proof: "unstated" }, { proof: "unstated" }]);
	});
});

describe("money with another amount than before", () => {
	const AGAIN = week({
		[DANA]: ["72.00", "100.00", "-25.00", "6.00", "1.00", "-10.00"],
		[OMAR]: OMARS,
	});

	it("is a question that names both", async () => {
		await sent(FIRST);
		const plan = await planFile(await bench.admin("ada"), store, AGAIN, WEEK);
		expect(plan.needs).toEqual(["changed"]);
		expect(plan.money?.changed).toEqual([
			{ row: 2, kind: "tip", recordedCents: 500, foundCents: 600 },
		]);
		expect(await send(AGAIN)).toMatchObject({ reason: "open-needs" });
	});

	it("is replaced if that is the answer, until that is undone", async () => {
		const first = await sent(FIRST);
		const { import: made } = await sent(AGAIN, { changed: "replace" });
		expect(await kept()).toContainEqual({ ...KEPT[0], tip: 600 });
		expect(await undo(first.import?.id)).toMatchObject({ reason: "corrected" });
		expect((await undo(made?.id)).ok).toBe(true);
		expect(await kept()).toEqual(byDriver(KEPT));
		expect((await undo(first.import?.id)).ok).toBe(true);
		expect(await bench.rows("select * from statement_money")).toEqual([]);
	});

	it("stays as it is if it is kept", async () => {
		await sent(FIRST);
		expect((await sent(AGAIN, { changed: "keep" })).import).toBeUndefined();
		expect(await kept()).toEqual(byDriver(KEPT));
	});
});

describe("money that a later download lacks", () => {
	const ONE = week({ [DANA]: DANAS });
	const missing = { row: null, kind: "tip", recordedCents: 450, foundCents: 0 };

	it("is a question, and counts until it is answered", async () => {
		await sent(FIRST);
		const plan = await planFile(await bench.admin("ada"), store, ONE, WEEK);
		expect(plan).toMatchObject({ needs: ["changed"], money: { before: 1, changed: [missing] } });
		expect(await send(ONE)).toMatchObject({ reason: "open-needs" });
		expect((await sent(ONE, { changed: "keep" })).import).toBeUndefined();
		expect(await kept()).toEqual(byDriver(KEPT));
	});

	it("is removed by 'replace', and comes back when that is undone", async () => {
		await sent(FIRST);
		const { import: made } = await sent(ONE, { changed: "replace" });
		expect(made).toMatchObject({ isMoneyOnly: true, rowCount: 1 });
		expect(await kept()).toEqual(byDriver([KEPT[0], { ...KEPT[1], tip: 0 }] as typeof KEPT));
		expect((await sent(ONE)).plan.needs).toEqual([]);
		expect((await undo(made?.id)).ok).toBe(true);
		expect(await kept()).toEqual(byDriver(KEPT));
	});

	it("isn't missed in another organization's file, nor beside rows that can't be read", async () => {
		await sent(FIRST);
		const ada = await bench.admin("ada");
		const other = week({ [idOf("lena")]: DANAS });
		const south = WEEK.replace("Example", "South");
		expect((await planFile(ada, store, other, south)).money?.changed).toEqual([]);
		const unread = week({ [DANA]: ["71.00", "100.00", "about 25", "5.00", "1.00", "-10.00"] });
		expect((await planFile(ada, store, unread, WEEK)).money?.changed).toEqual([]);
	});

	it("counts once if a transaction without an id has another amount", async () => {
		const at = "2026-11-09 08:00:00.0 -0500 EST";
		const before = orders({ "": [at, "15.00", "20.00", "-5.00"] });
		const after = orders({ "": [at, "16.00", "21.00", "-5.00"] });
		await sent(before, { name: ORDERS });
		expect(await send(after, { name: ORDERS })).toMatchObject({ reason: "open-needs" });
		await sent(after, { name: ORDERS, changed: "keep" });
		expect(await kept()).toMatchObject([{ fare: 2_000 }]);
		await sent(after, { name: ORDERS, changed: "replace" });
		expect((await kept()).map(({ fare }) => fare).sort()).toEqual([0, 2_100]);
	});
});

describe("transactions", () => {
	const ROWS = {
		[TRIP_1]: ["2026-11-09 08:00:00.0 -0500 EST", "15.00", "20.00", "-5.00"],
		[TRIP_2]: ["2026-11-16 03:30:00.0 -0500 EST", "8.00", "8.00", "0"],
	} as const;

	it("count in the week of their file, the night to Monday included", async () => {
		await sent(orders(ROWS), { name: ORDERS });
		expect(await kept()).toMatchObject([
			{ from: "2026-11-09", to: "2026-11-09", fare: 2_000, fee: -500 },
			{ from: "2026-11-15", to: "2026-11-15", fare: 800, fee: 0 },
		]);
	});

	it("aren't a driver's where they are the fleet's payout, whatever names that has", async () => {
		const name = "20261102-20261109-payments_order-Milepost_Demo.csv";
		const text = readFileSync(`docs/samples/${name}`, "utf8");
		const plan = await planFile(await bench.admin("ada"), store, text, name, {});
		expect(text).toContain("Milepost Demo,Fleet,,so.payout,Milepost Demo,");
		expect(unknownDriversOf(plan).map((each) => each.name)).toEqual([
			"Dana Driver",
			"OMAR OKAFOR",
			"Łena Nguyễn",
		]);
	});

	it("overlap another kind of file of the same driver and week, whose days they aren't in", async () => {
		const name = "20261109-20261110-payments_driver-Example.csv";
		await sent(week({ [DANA]: ["4.50", "0", "0", "4.50", "0", "0"] }), { name });
		const later = orders({ [TRIP_2]: ROWS[TRIP_2] });
		expect(await send(later, { name: ORDERS })).toMatchObject({
			reason: "open-needs",
			details: { needs: ["overlap"], overlaps: [{ fileName: name }] },
		});
		const next = orders({ [TRIP_2]: ["2026-11-17 09:00:00.0 -0500 EST", "8.00", "8.00", "0"] });
		expect((await send(next, { name: "payments_order.csv" })).ok).toBe(true);
	});

	it("are kept once from a file that was put together", async () => {
		const text = orders(ROWS);
		await sent(`${text}${text}`, { name: ORDERS });
		expect(await kept()).toHaveLength(2);
	});
});
