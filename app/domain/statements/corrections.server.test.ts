/** Statements downloaded again with other amounts, on real D1 and R2. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { insertFee } from "../../../tests/support/fees.ts";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { importFile, planFile } from "../../../tests/support/sent-statements.ts";
import { blocksOf, countedRows, storedBlocks } from "../../../tests/support/totals.ts";
import {
	keepStatement,
	type WaitingLine,
	waitingToImport,
} from "../../../tests/support/waiting-statements.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { MAX_CENTS } from "../../values/money.ts";
import { addFee } from "../uber-fees/commands/add.server.ts";
import { deleteFee } from "../uber-fees/commands/delete.server.ts";
import type { Answers } from "./answers.ts";
import { importStatement } from "./commands/import.server.ts";
import { undoImport } from "./commands/undo-import.server.ts";
import { planStatement } from "./plan.server.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const DAY = "2026-11-18" as CalendarDate;
const WEEK = "20260907-20260914-payments_driver-Example.csv";
const [FIRST, AGAIN] = [
	fieldFile("corrected-1-payments_driver.csv"),
	fieldFile("corrected-2-payments_driver.csv"),
];
const CORA = "f1e1d000-0000-4000-8000-000000000003";
const drivers = { [CORA]: idOf("dana"), dana: idOf("dana"), omar: idOf("omar") };

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

const live = async () =>
	(
		await bench.rows<{ cents: number }>(`select iif(is_credit, -amount_cents, amount_cents) as cents
			from uber_fees where deleted_at is null order by cents`)
	).map(({ cents }) => cents);
const totalsAgree = async () =>
	expect(await storedBlocks(bench.rows)).toEqual(blocksOf(await countedRows(bench.rows)));

type Lines = Readonly<Record<string, number>>;
const toLines = (lines: Lines): WaitingLine[] =>
	Object.entries(lines).map(([key, cents]) => ({
		...{ key, platformId: "dana", date: DAY, category: "commission" as const, cents },
	}));
/** Imports lines by their keys, all of one driver and day. */
async function send(lines: Lines, answers: Partial<Answers> = {}) {
	const admin = await bench.admin("ada");
	const statement = await keepStatement(admin, store, toLines(lines));
	const answered = { ...statement, answers: { overlap: false, ...answers, drivers } };
	return importStatement(admin, store, answered, "all");
}
async function sent(lines: Lines, answers: Partial<Answers> = {}) {
	const outcome = await send(lines, answers);
	if (!outcome.ok) throw new Error(`not imported: ${outcome.reason}`);
	return outcome.value;
}
const REPLACE = { changed: "replace" } as const;
const undo = async (id: string | undefined) => undoImport(await bench.admin("ben"), id ?? "");

describe("a week's file with a corrected amount", () => {
	it("is a question with both amounts, and imports nothing until it is answered", async () => {
		const admin = await bench.admin("ada");
		expect((await importFile("all", admin, store, FIRST, WEEK, { drivers })).ok).toBe(true);
		const plan = await planFile(admin, store, AGAIN, WEEK);
		expect(plan.needs).toEqual(["changed"]);
		expect(plan.fees).toMatchObject([
			{ state: "changed", cents: 3150, correction: { recordedCents: 2500 } },
		]);
		for (const mode of ["ready", "all"] as const)
			expect(await importFile(mode, admin, store, AGAIN, WEEK)).toMatchObject({
				reason: "open-needs",
			});
		expect(await live()).toEqual([2500]);
	});

	it("aren't changed by the order of a driver's rows", async () => {
		const admin = await bench.admin("ada");
		const [head, mine, more] = [
			"Driver UUID,Driver first name,Driver surname,Paid to you,Paid to you:Your earnings:Fare:Fare,Paid to you:Your earnings:Service fee",
			`${CORA},Cora,Example,75.00,100.00,-25.00`,
			`${CORA},Cora,Example,30.00,40.00,-10.00`,
		];
		await importFile("all", admin, store, [head, mine, more].join("\n"), WEEK, { drivers });
		const again = await planFile(admin, store, [head, more, mine].join("\n"), WEEK);
		expect(again.needs).toEqual([]);
		expect(again.fees).toMatchObject([{ cents: 3_500, state: "imported-before" }]);
		expect(again.money).toMatchObject({ before: 2, ready: 0, changed: [] });

		// The row with another amount is told apart from one that only moved.
		const other = `${CORA},Cora,Example,31.00,42.00,-11.00`;
		const moved = await planFile(admin, store, [head, other, mine].join("\n"), WEEK);
		expect(moved.fees).toMatchObject([
			{ cents: 1_100, state: "changed", correction: { recordedCents: 1_000 } },
			{ cents: 2_500, state: "imported-before" },
		]);
		expect(moved.money?.changed).toEqual([
			{ row: 2, kind: "fare", recordedCents: 4_000, foundCents: 4_200 },
			{ row: 2, kind: "fee", recordedCents: -1_000, foundCents: -1_100 },
		]);
	});

	it("replaces the fee, and undoing it brings the recorded one back", async () => {
		const admin = await bench.admin("ada");
		await importFile("all", admin, store, FIRST, WEEK, { drivers });
		const made = await importFile("all", admin, store, AGAIN, WEEK, REPLACE);
		expect(made.ok && made.value.plan.fees).toMatchObject([{ state: "imported", cents: 3150 }]);
		expect(await live()).toEqual([3150]);
		const again = await planFile(admin, store, AGAIN, WEEK);
		expect(again.fees).toMatchObject([{ state: "imported-before", cents: 3150 }]);
		expect(again.needs).toEqual([]);
		expect((await undo(made.ok ? made.value.import?.id : "")).ok).toBe(true);
		expect(await live()).toEqual([2500]);
		await totalsAgree();
		const once = await importFile("all", admin, store, FIRST, WEEK);
		expect(once.ok && once.value.import).toBe(undefined);
	});

	it("is a question too if the amount is nothing now", async () => {
		const admin = await bench.admin("ada");
		await importFile("all", admin, store, FIRST, WEEK, { drivers });
		const nothing = FIRST.replace("-25.00", "");
		const plan = await planFile(admin, store, nothing, WEEK);
		expect(plan.needs).toEqual(["changed"]);
		expect(plan.fees).toMatchObject([
			{ state: "changed", cents: 0, correction: { recordedCents: 2500 } },
		]);
		expect(plan.leftOut).toMatchObject([{ row: 2, reason: "no-fee" }]);
		const made = await importFile("all", admin, store, nothing, WEEK, REPLACE);
		expect(await live()).toEqual([]);
		expect((await undo(made.ok ? made.value.import?.id : "")).ok).toBe(true);
		expect(await live()).toEqual([2500]);
		await totalsAgree();
	});

	it("leaves the books as they are if that is the answer", async () => {
		const admin = await bench.admin("ada");
		await importFile("all", admin, store, FIRST, WEEK, { drivers });
		const kept = await importFile("all", admin, store, AGAIN, WEEK, { changed: "keep" });
		expect(kept.ok && kept.value.import).toBe(undefined);
		expect(kept.ok && kept.value.plan.fees).toMatchObject([{ state: "changed" }]);
		expect(await live()).toEqual([2500]);
	});
});

describe("a transaction with another amount", () => {
	it("is a question too if it is nothing now", async () => {
		const admin = await bench.admin("ada");
		const [text, name] = [
			fieldFile("names-without-ids-payments_order.csv"),
			"20261005-20261012-payments_order-Example.csv",
		];
		const whose = {
			"f1e1d000-0000-4000-8000-000000000001": idOf("dana"),
			"nils noid": idOf("omar"),
		};
		await importFile("all", admin, store, text, name, { drivers: whose });
		expect(await live()).toEqual([400, 600]);
		const plan = await planFile(admin, store, text.replace("-6.00", "0.00"), name);
		expect(plan.fees.map(({ state, cents }) => [state, cents])).toEqual([
			["imported-before", 400],
			["changed", 0],
		]);
	});

	it("changes the fee of its day by the difference, whatever else is in the file", async () => {
		await sent({ a: 400, b: 300 });
		const made = await sent({ a: 500, c: 200 }, REPLACE);
		expect(made.plan.fees.map(({ state, cents }) => [state, cents])).toEqual([
			["imported", 500],
			["imported", 200],
		]);
		expect(await live()).toEqual([200, 800]);
		await totalsAgree();
	});

	it("may change again, also in a line that only the first file had", async () => {
		const first = await sent({ a: 400, b: 300 });
		const second = await sent({ a: 500 }, REPLACE);
		const third = await sent({ b: 100 }, REPLACE);
		expect(await live()).toEqual([600]);
		expect((await sent({ a: 500, b: 100 })).import).toBe(undefined);
		for (const early of [first, second])
			expect(await undo(early.import?.id)).toMatchObject({ ok: false, reason: "corrected" });
		expect((await undo(third.import?.id)).ok).toBe(true);
		expect(await live()).toEqual([800]);
		expect((await undo(second.import?.id)).ok).toBe(true);
		expect(await live()).toEqual([700]);
		expect((await undo(first.import?.id)).ok).toBe(true);
		expect(await live()).toEqual([]);
		expect(await bench.rows("select * from statement_lines")).toEqual([]);
		await totalsAgree();
	});

	it("may become a credit, nothing, or a fee out of lines that added up to nothing", async () => {
		await sent({ a: 400 });
		await sent({ a: -100 }, REPLACE);
		expect(await live()).toEqual([-100]);
		await sent({ a: 0 }, REPLACE);
		expect(await live()).toEqual([]);
		const back = await sent({ a: 250 }, REPLACE);
		expect(await live()).toEqual([250]);
		expect((await undo(back.import?.id)).ok).toBe(true);
		expect(await live()).toEqual([]);
		await totalsAgree();
	});

	it("may belong to a fee above the maximum, before and after", async () => {
		await sent({ a: MAX_CENTS + 100, b: 50 });
		expect(await live()).toEqual([150, MAX_CENTS]);
		const made = await sent({ a: 2 * MAX_CENTS + 100 }, REPLACE);
		expect(await live()).toEqual([150, MAX_CENTS, MAX_CENTS]);
		expect((await undo(made.import?.id)).ok).toBe(true);
		expect(await live()).toEqual([150, MAX_CENTS]);
		await totalsAgree();
	});
});

describe("a fee that somebody has changed since", () => {
	const feeId = async () =>
		(await bench.rows<{ id: string }>("select id from uber_fees where deleted_at is null"))[0]
			?.id ?? "";
	const edit = async (amount: number) =>
		addFee(await bench.admin("ada"), {
			...{ driverId: idOf("omar"), category: "other", amount, date: DAY },
			...{ replacesId: await feeId(), referenceNumber: undefined, description: undefined },
			key: undefined,
		});

	it("stays deleted if it was deleted", async () => {
		await sent({ a: 400 });
		await deleteFee(await bench.admin("ada"), await feeId());
		const again = await sent({ a: 500 });
		expect(again.plan.fees).toMatchObject([{ state: "imported-before" }]);
		expect(await live()).toEqual([]);
	});

	it("isn't asked about if it was edited to what the statement says now", async () => {
		await sent({ a: 400, b: 300 });
		expect((await edit(800)).ok).toBe(true);
		expect((await sent({ a: 500 })).plan.fees).toMatchObject([{ state: "imported-before" }]);
		expect(await live()).toEqual([800]);
	});

	it("is asked about with what the books say, and keeps its edited driver and category", async () => {
		await sent({ a: 400 });
		await edit(450);
		const made = await sent({ a: 500 }, REPLACE);
		expect(made.plan.fees).toMatchObject([{ cents: 500, correction: { recordedCents: 450 } }]);
		expect(
			await bench.rows(
				"select driver_id, category, amount_cents from uber_fees where deleted_at is null",
			),
		).toEqual([{ driver_id: idOf("omar"), category: "other", amount_cents: 500 }]);
		expect((await undo(made.import?.id)).ok).toBe(true);
		expect(await live()).toEqual([450]);
	});

	it("isn't replaced if it is deleted while the import runs", async () => {
		await sent({ a: 400 });
		const admin = await bench.admin("ada");
		const statement = await keepStatement(admin, store, toLines({ a: 500 }));
		const answered = { ...statement, answers: { overlap: false, drivers, ...REPLACE } };
		const remove = async () => deleteFee(await bench.admin("ben"), await feeId());
		const outcome = await importStatement(waitingToImport(admin, remove), store, answered, "all");
		expect(outcome.ok && outcome.value.plan.fees).toMatchObject([{ state: "imported-before" }]);
		expect(await live()).toEqual([]);
	});
});

it("is replaced once when two people send it at the same time", async () => {
	await sent({ a: 400, b: 300 });
	const outcomes = await Promise.all([1, 2, 3].map(() => send({ a: 500, b: 300 }, REPLACE)));
	for (const outcome of outcomes) expect(outcome.ok).toBe(true);
	expect(outcomes.filter((each) => each.ok && each.value.import)).toHaveLength(1);
	expect(await live()).toEqual([800]);
	await totalsAgree();
});

it("is asked about as a possible duplicate if the new amount was added by hand", async () => {
	await sent({ a: 400 });
	await insertFee(bench.rows, 1, "dana", DAY, { amount_cents: 500, created_at: 1 });
	const admin = await bench.admin("ada");
	const statement = await keepStatement(admin, store, toLines({ a: 500 }));
	const plan = await planStatement(admin, store, statement);
	expect(plan.needs).toEqual(["overlap", "changed"]);
	expect(await send({ a: 500 }, REPLACE)).toMatchObject({ reason: "open-needs" });
	await sent({ a: 500 }, { ...REPLACE, overlap: true });
	expect(await live()).toEqual([500, 500]);
});
