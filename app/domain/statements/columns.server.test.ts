/** Real-life files with custom columns, on real D1 and R2. */
import { beforeEach, describe, expect, it } from "vitest";
import { idOf } from "../../../tests/support/cast.ts";
import { openDatabase } from "../../../tests/support/database.ts";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { openFileStore } from "../../../tests/support/file-store.ts";
import { sampleText } from "../../../tests/support/statements.ts";
import type { Answers } from "./answers.ts";
import { type ImportMode, importStatement } from "./commands/import.server.ts";
import { undoImport } from "./commands/undo-import.server.ts";
import { fileKey } from "./object-writer.server.ts";
import { openStatement } from "./open.server.ts";
import { planStatement } from "./plan.server.ts";

const bench = await openDatabase("everyone", Date.UTC(2026, 10, 25, 17));
const store = await openFileStore();
const ada = await bench.admin("ada");

beforeEach(async () => {
	for (const table of [
		"statement_lines",
		"statement_money",
		"uber_fees",
		"fee_imports",
		"platform_drivers",
		"column_choices",
	])
		await bench.rows(`delete from ${table}`);
});

const HEAD = "Driver,Category,Amount,Date,Reference";
const file = (...rows: readonly string[]) => [HEAD, ...rows].join("\n");

async function open(content: string | Uint8Array, answers: Partial<Answers> = {}) {
	const id = crypto.randomUUID();
	await store.put(fileKey(id), content);
	return openStatement(
		ada,
		store,
		{ kind: "stored", id, fileName: "fees.csv", contentTag: String(content), size: content.length },
		answers,
	);
}
async function opened(...file: Parameters<typeof open>) {
	const outcome = await open(...file);
	if (!outcome.ok) throw new Error(JSON.stringify(outcome));
	return outcome.value;
}
async function plan(content: string | Uint8Array) {
	const statement = await opened(content);
	return { ...(await planStatement(ada, store, statement)), facts: statement.facts };
}
const send = async (content: string, mode: ImportMode, answers: Partial<Answers> = {}) =>
	importStatement(ada, store, await opened(content, answers), mode);
const live = async () =>
	(
		await bench.rows<{ cents: number }>(`select iif(is_credit, -amount_cents, amount_cents) as cents
			from uber_fees where deleted_at is null order by cents`)
	).map(({ cents }) => cents);
const drivers = { "Omar Okafor": idOf("omar"), "Dana Driver": idOf("dana") };
const SEPTEMBER = fieldFile("references-1-september.csv");
const OCTOBER = fieldFile("references-2-october.csv");

describe("a reference number", () => {
	it("that another fee has is a question that names that fee, and hides nobody's money", async () => {
		expect((await send(SEPTEMBER, "all", { drivers })).ok).toBe(true);
		const { needs, fees } = await plan(OCTOBER);
		expect(needs).toContain("overlap");
		expect(fees.map(({ state }) => state)).toEqual(["ready", "ready"]);
		expect(fees[0]?.doubt).toMatch(
			/^This reference number belongs to another fee: Dana .+, commission, Sep 30, 2026, \$10\.00$/,
		);
		for (const mode of ["ready", "all"] as const)
			expect(await send(OCTOBER, mode, { drivers })).toMatchObject({ reason: "open-needs" });
		expect((await send(OCTOBER, "all", { drivers, overlap: true })).ok).toBe(true);
		expect(await live()).toEqual([1000, 1100, 2000, 2200]);
	});

	it("is recorded already if driver, category, date and amount agree", async () => {
		await send(SEPTEMBER, "all", { drivers });
		const again = await send(SEPTEMBER, "all", { drivers });
		expect(again.ok && again.value.import).toBe(undefined);
		const part = SEPTEMBER.replace("20.00", "21.00");
		expect((await plan(part)).fees.map(({ state, doubt }) => [state, doubt !== undefined])).toEqual(
			[
				["imported-before", false],
				["ready", true],
			],
		);
	});

	it.each([
		["driver", "Omar Okafor,commission,10.00,2026-09-30,F4-1"],
		["category", "Dana Driver,other,10.00,2026-09-30,F4-1"],
		["amount", "Dana Driver,commission,10.01,2026-09-30,F4-1"],
		["sign", "Dana Driver,commission,-10.00,2026-09-30,F4-1"],
		["date", "Dana Driver,commission,10.00,2026-09-29,F4-1"],
	])("with another %s is asked about", async (_, row) => {
		await send(SEPTEMBER, "all", { drivers });
		expect(await send(file(row), "ready")).toMatchObject({ reason: "open-needs" });
		expect(await live()).toEqual([1000, 2000]);
	});

	it("that a spreadsheet shortened is none", async () => {
		const rows = (day: number) =>
			file(
				`Dana Driver,commission,1.00,2026-09-0${day},9.01E+18`,
				`Dana Driver,commission,2.00,2026-09-0${day},"9,01E+18"`,
			);
		expect((await send(rows(1), "all", { drivers })).ok).toBe(true);
		expect((await send(rows(2), "all", { drivers })).ok).toBe(true);
		expect(await live()).toEqual([100, 100, 200, 200]);
		expect(await bench.rows("select * from uber_fees where reference_number is not null")).toEqual(
			[],
		);
	});

	it("that lost its leading zeros or its end is a question", async () => {
		await send(fieldFile("fees.csv"), "all", { drivers });
		const { needs, fees } = await plan(fieldFile("fees-saved-by-excel.csv"));
		expect(needs).toEqual(["overlap"]);
		expect(fees.map(({ doubt }) => doubt)).toEqual([
			"The same fee was added before",
			"The same fee was added before",
		]);
	});

	it("is a question the other way round, and within one file, too", async () => {
		await send(fieldFile("fees-saved-by-excel.csv"), "all", { drivers });
		expect((await plan(fieldFile("fees.csv"))).fees.every(({ doubt }) => doubt)).toBe(true);
		const { fees, needs } = await plan(
			file(
				"Dana Driver,other,3.00,2026-09-01,007",
				"Dana Driver,other,3.00,2026-09-01,7",
				"Dana Driver,other,4.00,2026-09-01,7",
				"Dana Driver,other,3.00,2026-09-01,8",
			),
		);
		expect(needs).toEqual(["overlap"]);
		expect(fees.map(({ doubt }) => doubt !== undefined)).toEqual([false, true, false, false]);
	});
});

describe("dates", () => {
	const daysOf = async (text: string) => (await plan(text)).fees.map(({ date }) => date);

	it("have one order, which any of them decides", async () => {
		expect(await daysOf(fieldFile("day-first.csv"))).toEqual([
			"2026-09-03",
			"2026-09-21",
			"2026-09-30",
		]);
		const usual = await plan(
			file("Dana Driver,other,1.00,9/3/2026,", "Dana Driver,other,1.00,9/21/2026,"),
		);
		expect(usual.fees.map(({ date }) => date)).toEqual(["2026-09-03", "2026-09-21"]);
		expect(usual.facts.months).toBeUndefined();
	});

	it("are day-first with semicolons and decimal commas, and otherwise their months are told", async () => {
		const rows = ["Dana Driver,other,1.06,03/09/2026,", "Dana Driver,other,2.06,04/09/2026,"];
		const european = file(...rows)
			.replaceAll(",", ";")
			.replaceAll(".", ",");
		expect(await daysOf(european)).toEqual(["2026-09-03", "2026-09-04"]);
		const { fees, facts } = await plan(file(...rows));
		expect(fees.map(({ date }) => date)).toEqual(["2026-03-09", "2026-04-09"]);
		expect(facts.months).toEqual(["2026-03", "2026-04"]);
	});

	it("that contradict each other leave the file unreadable", async () => {
		const rows = ["Dana Driver,other,1.00,21/09/2026,", "Dana Driver,other,1.00,09/22/2026,"];
		expect(await open(file(...rows))).toMatchObject({
			reason: "not-a-statement",
			details: { message: expect.stringMatching(/21\/09\/2026.*09\/22\/2026/) },
		});
	});

	it("are read in every spelling that can mean one day only", async () => {
		const { fees, leftOut } = await plan(fieldFile("dates.csv"));
		expect(leftOut).toEqual([]);
		expect(fees.map(({ date }) => date)).toEqual([
			...["2026-09-21", "2026-09-21", "2026-09-21", "2026-09-21"],
			...["2026-09-01", "2026-09-21", "2026-09-21"],
		]);
	});
});

describe("a platform's file, too", () => {
	const sent = async (text: string) => {
		const id = crypto.randomUUID();
		await store.put(fileKey(id), text);
		const upload = { kind: "stored", id, contentTag: id, size: 1 } as const;
		const fileName = "payments_order.csv";
		return openStatement(ada, store, { ...upload, fileName }, {});
	};
	const written = (order: string) =>
		sampleText("uber-payments-order").replace(/(\d{4})-(\d\d)-(\d\d)(?= \d)/g, order);

	it("has one order of day and month", async () => {
		const dates = async (text: string) => {
			const opened = await sent(text);
			if (!opened.ok) throw new Error(JSON.stringify(opened));
			const { fees } = await planStatement(ada, store, opened.value);
			return fees.map(({ date }) => date);
		};
		const iso = await dates(sampleText("uber-payments-order"));
		expect(new Set(iso).size).toBeGreaterThan(3);
		expect(await dates(written("$3/$2/$1"))).toEqual(iso);
		expect(await dates(written("$2-$3-$1"))).toEqual(iso);
	});
});

describe("money in another currency", () => {
	it("is refused, and so is money in two", async () => {
		const row = (amount: string) => `Dana Driver,other,${amount},2026-09-01,`;
		expect(await open(file(row("5.00 €")))).toMatchObject({ reason: "foreign" });
		expect(await open(file(row("5.00 €"), row("5.00 zł")))).toMatchObject({ ok: false });
	});
});

describe("rows that are no charge", () => {
	it("of nothing and of totals are listed and stop nothing", async () => {
		const zero = await send(fieldFile("zero-row.csv"), "all", { drivers });
		expect(zero.ok && zero.value.plan.leftOut).toEqual([{ row: 3, reason: "no-fee", cents: 0 }]);
		const total = file(
			"Dana Driver,other,1.00,2026-09-01,",
			"Dana Driver,other,2.00,2026-09-02,",
			"Total,,3.00,,",
			",,3.00,,",
		);
		const made = await send(total, "all", { drivers });
		expect(made.ok && made.value.plan.leftOut).toEqual([
			{ row: 4, reason: "total", cents: 300 },
			{ row: 5, reason: "total", cents: 300 },
		]);
		expect(await live()).toEqual([100, 200, 1208]);
	});

	it("are money given back, subtracted within its driver, day and category", async () => {
		const made = await send(fieldFile("refund-row.csv"), "all", { drivers });
		expect(made.ok && made.value.plan.fees).toMatchObject([{ cents: 1000, state: "imported" }]);
		expect(await live()).toEqual([1000]);
		const again = await send(fieldFile("refund-row.csv"), "all", { drivers });
		expect(again.ok && again.value.import).toBe(undefined);
	});

	it("may be a credit, or nothing in the end", async () => {
		const text = file(
			"Dana Driver,other,(2.09),2026-09-01,R-1",
			"Dana Driver,commission,5.00,2026-09-01,R-2",
			"Dana Driver,commission,-$5.00,2026-09-01,R-3",
		);
		const made = await send(text, "all", { drivers });
		expect(made.ok && made.value.plan).toMatchObject({
			fees: [{ cents: -209, reference: "R-1" }],
			netted: [{ row: 3, category: "commission" }],
			leftOut: [],
		});
		expect(await live()).toEqual([-209]);
		const again = await send(text, "all", { drivers });
		expect(again.ok && again.value.import).toBe(undefined);
		const id = made.ok ? (made.value.import?.id ?? "") : "";
		expect((await undoImport(ada, id)).ok).toBe(true);
		expect(await live()).toEqual([]);
	});
});

describe("how spreadsheets start a file", () => {
	it.each(["sep-line.csv", "title-lines.csv"])("is read: %s", async (name) => {
		const { fees, facts } = await plan(fieldFile(name));
		expect(facts.columns?.head.slice(0, 3)).toEqual(["Driver", "Category", "Amount"]);
		expect(fees).toMatchObject([{ cents: 1234, date: "2026-09-21" }]);
	});

	it("is read: UTF-16 with tabs", async () => {
		const text = `\ufeff${fieldFile("zero-row.csv").replaceAll(",", "\t")}`;
		const bytes = new Uint8Array(Uint16Array.from(text, (each) => each.charCodeAt(0)).buffer);
		expect((await plan(bytes)).fees).toMatchObject([{ cents: 1208 }]);
	});
});
