/** Statements downloaded again without lines that they had, on real D1 and R2. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { importFile, planFile } from "../../../tests/support/sent-statements.ts";
import { blocksOf, countedRows, storedBlocks } from "../../../tests/support/totals.ts";
import { deleteFee } from "../uber-fees/commands/delete.server.ts";
import { undoImport } from "./commands/undo-import.server.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const WEEK = "20260907-20260914-payments_driver-Example.csv";
const idFor = (number: number) => `f1e1d000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const drivers = { [idFor(1)]: idOf("dana"), [idFor(2)]: idOf("omar"), [idFor(3)]: idOf("lena") };

/** Its files state no total of a driver's money. */
const GIVEN = { drivers, unproven: true } as const;

const HEAD = "Driver UUID,Driver first name,Driver surname,Paid to you:Your earnings:Service fee";
/** Uber's payments by driver, a row for each number and service fee. */
const week = (...rows: (readonly [driver: number, fee: string])[]) =>
	[HEAD, ...rows.map(([driver, fee]) => `${idFor(driver)},Number,${driver},${fee}`), ""].join("\n");

beforeEach(async () => {
	await bench.rows("update uber_fees set replaces_id = null where replaces_id is not null");
	for (const table of ["uber_fees", "fee_imports", "statement_lines", "platform_drivers"])
		await bench.rows(`delete from ${table}`);
});

const live = async () =>
	(
		await bench.rows<{ cents: number }>(
			"select amount_cents as cents from uber_fees where deleted_at is null order by cents",
		)
	).map(({ cents }) => cents);
const ada = () => bench.admin("ada");
const plan = async (text: string, name = WEEK) =>
	planFile(await ada(), store, text, name, { unproven: true });
/** Imports a file, and says which import was made. */
async function send(text: string, answers: { changed?: "replace" | "keep" } = {}, name = WEEK) {
	const outcome = await importFile("all", await ada(), store, text, name, { ...answers, ...GIVEN });
	if (!outcome.ok) throw new Error(`not imported: ${outcome.reason}`);
	return outcome.value.import?.id;
}
const BOTH = week([1, "-25.00"], [2, "-7.00"]);
const ONE = week([1, "-25.00"]);

describe("a driver whom a later download of the same week lacks", () => {
	it("is a question with the recorded fee, and imports nothing until it is answered", async () => {
		await send(BOTH);
		const { needs, fees } = await plan(ONE);
		expect(needs).toEqual(["changed"]);
		expect(fees).toMatchObject([
			{ state: "imported-before", cents: 2500 },
			{ state: "changed", cents: 0, isMissing: true, correction: { recordedCents: 700 } },
		]);
		expect(fees[1]).toMatchObject({ name: "Omar Okafor", date: "2026-09-13" });
		expect(await importFile("ready", await ada(), store, ONE, WEEK)).toMatchObject({
			reason: "open-needs",
		});
		expect(await live()).toEqual([700, 2500]);
	});

	it("is removed by 'replace', brought back by undoing it, and stays by 'keep'", async () => {
		await send(BOTH);
		expect(await send(ONE, { changed: "keep" })).toBe(undefined);
		expect(await live()).toEqual([700, 2500]);
		const made = await send(ONE, { changed: "replace" });
		expect(await live()).toEqual([2500]);
		expect((await plan(ONE)).needs).toEqual([]);
		// With the row again, it is another amount than none.
		expect((await plan(BOTH)).fees).toMatchObject([
			{ state: "imported-before" },
			{ state: "changed", cents: 700, correction: { recordedCents: 0 } },
		]);
		expect((await undoImport(await ada(), made ?? "")).ok).toBe(true);
		expect(await live()).toEqual([700, 2500]);
		expect((await plan(BOTH)).needs).toEqual([]);
		expect(await storedBlocks(bench.rows)).toEqual(blocksOf(await countedRows(bench.rows)));
	});

	it("may be missing beside new and changed ones, whichever download had them", async () => {
		await send(BOTH);
		// The second download adds a driver, and only that fee is its own.
		await send(week([1, "-25.00"], [2, "-7.00"], [3, "-4.00"]));
		const { fees } = await plan(week([1, "-26.00"]), WEEK.replace(".csv", " (2).csv"));
		expect(fees.map(({ cents, isMissing = false }) => [cents, isMissing])).toEqual([
			[2600, false],
			[0, true],
			[0, true],
		]);
		await send(week([1, "-26.00"]), { changed: "replace" });
		expect(await live()).toEqual([2600]);
		// What was corrected under another name belongs to the same downloads.
		await send(BOTH, { changed: "replace" }, "20260907-20260914-payments_driver-Corrected.csv");
		expect((await plan(ONE)).fees.filter(({ isMissing }) => isMissing)).toHaveLength(1);
	});

	it("is no question if the fee was deleted since", async () => {
		await send(BOTH);
		const [fee] = await bench.rows<{ id: string }>(
			"select id from uber_fees where amount_cents = 700",
		);
		await deleteFee(await ada(), fee?.id ?? "");
		const { netted, fees } = await plan(ONE);
		expect({ netted, fees }).toMatchObject({ netted: [], fees: [{ cents: 2500 }] });
	});
});

it("a second row of a driver is missed too", async () => {
	await send(week([1, "-25.00"], [1, "-3.00"]));
	expect((await plan(ONE)).fees).toMatchObject([
		{ state: "changed", isMissing: true, correction: { recordedCents: 300 } },
		{ state: "imported-before", cents: 2500 },
	]);
	await send(ONE, { changed: "replace" });
	expect(await live()).toEqual([2500]);
});

it("a transaction is missed in a later download of the same days", async () => {
	const orders = (...rows: (readonly [transaction: number, driver: number, fee: string])[]) =>
		[
			`transaction UUID,vs reporting,${HEAD}`,
			...rows.map(
				([id, driver, fee]) =>
					`${idFor(100 + id)},2026-09-08 08:14:22.351 -0500 CST,${idFor(driver)},Number,${driver},${fee}`,
			),
			"",
		].join("\n");
	const name = "20260907-20260914-payments_order-Example.csv";
	await send(orders([1, 1, "-5.00"], [2, 1, "-6.00"], [3, 2, "-8.00"]), {}, name);
	const { needs, fees } = await plan(orders([1, 1, "-5.00"]), name);
	expect(needs).toEqual(["changed"]);
	expect(fees.map(({ state, correction }) => [state, correction?.recordedCents])).toEqual([
		["changed", 600],
		["imported-before", undefined],
		["changed", 800],
	]);
	await send(orders([1, 1, "-5.00"]), { changed: "replace" }, name);
	expect(await live()).toEqual([500]);
});

describe("nothing is missed", () => {
	it.each([
		[
			"in another organization's file of the week",
			week([3, "-4.00"]),
			WEEK.replace("Example", "South"),
		],
		["in another week's file", ONE, WEEK.replace("20260907-20260914", "20260914-20260921")],
		["where a row couldn't be read", week([1, "-25.00"], [2, "about 7"]), WEEK],
	])("%s", async (_, text, name) => {
		await send(BOTH);
		expect((await plan(text, name)).fees.filter(({ isMissing }) => isMissing)).toEqual([]);
	});

	it("in a file that has everything", async () => {
		await send(BOTH);
		expect(await plan(BOTH)).toMatchObject({ needs: [], fees: [{}, {}] });
	});
});

describe("a file that says nothing but fees", () => {
	it("remembers the fees of the drivers whom it left out", async () => {
		const known = { [idFor(1)]: idOf("dana") };
		const options = { drivers: known, unproven: true } as const;
		const outcome = await importFile("ready", await ada(), store, BOTH, WEEK, options);
		expect(outcome).toMatchObject({
			ok: true,
			value: { import: { unmatchedDrivers: 1, unmatchedCents: -700 } },
		});
	});
});
