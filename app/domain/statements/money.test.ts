import { describe, expect, it } from "vitest";
import { renameColumns, tableOf, toText } from "../../../tests/support/statement-tables.ts";
import {
	expectedOf,
	read,
	SAMPLES,
	type Sample,
	sampleBytes,
} from "../../../tests/support/statements.ts";
import { countedDay } from "./counted-day.ts";
import { addMoney, type MoneyCents, NO_MONEY } from "./money.ts";
import type { MoneyRow } from "./statement.ts";

const totals = (money: readonly MoneyRow[]): MoneyCents =>
	money.filter(({ whose }) => whose).reduce((sum, { cents }) => addMoney(sum, cents), NO_MONEY);
const byProof = (money: readonly MoneyRow[]) =>
	money.map(({ row, proof, stated, found }) => ({ row, proof, stated, found }));

/** Rows, and the drivers' money as added up from the cells by hand. */
const KNOWN: Readonly<Record<Sample, readonly [rows: number, totals: Partial<MoneyCents>]>> = {
	"uber-payments-order": [
		46,
		{
			...{ fare: 76_434, fee: -18_685, tip: 7_137, promotion: 2_500, toll: 2_620 },
			...{ cash: -4_239, transfer: -13_210 },
		},
	],
	"uber-payments-driver": [
		22,
		{
			...{ fare: 1_024_187, fee: -256_698, tip: 18_286, other_earning: 2_492, toll: 12_507 },
			...{ tax: 474, cash: -26_618 },
		},
	],
	"uber-payments-driver-total-earnings": [
		21,
		{
			...{ fare: 13_416_213, fee: -444_249, tip: 7_153, promotion: 197_182, toll: 19_550 },
			...{ other_earning: 2_312, tax: -67_716, third_party: -7_164, cash: -7_007_644 },
		},
	],
	"bolt-weekly": [
		21,
		{ fare: 778_376, fee: -160_311, tip: 6_276, promotion: 3_832, toll: 3_336, cash: -60_069 },
	],
};

describe.each(SAMPLES)("the sample %s", (sample) => {
	const [rows, sums] = KNOWN[sample];
	const reading = () => read(sampleBytes(sample), { fileName: expectedOf(sample).uploadAs });

	it("adds up in every row, to the totals of the drivers' columns", async () => {
		const { money } = await reading();
		expect(money).toHaveLength(rows);
		expect(
			money.filter(({ proof, stated, found }) => proof !== "proven" || stated !== found),
		).toEqual([]);
		expect(totals(money)).toEqual({ ...NO_MONEY, ...sums });
	});

	it("has a key of its own for each of the drivers' rows", async () => {
		const { money } = await reading();
		const keys = money.flatMap(({ whose }) => (whose ? [whose.key] : []));
		expect(new Set(keys).size).toBe(keys.length);
		expect(keys.length).toBeGreaterThan(rows - 4);
		expect((await reading()).money).toEqual(money);
	});
});

describe("a row whose parts aren't its total", () => {
	const table = tableOf("uber-payments-driver");
	const fileName = expectedOf("uber-payments-driver").uploadAs;
	const withCell = (at: number, name: string, text: string) => ({
		head: table.head,
		rows: table.rows.map((cells, row) =>
			row === at ? cells.map((cell, column) => (table.head[column] === name ? text : cell)) : cells,
		),
	});

	it("isn't proven, with both sums", async () => {
		const changed = withCell(1, "Pago a si", "727.30");
		const { money, lines } = await read(toText(changed), { fileName });
		expect(byProof(money).filter(({ proof }) => proof !== "proven")).toEqual([
			{ row: 3, proof: "unproven", stated: 72_730, found: 72_729 },
		]);
		expect(lines).toEqual((await read(toText(table), { fileName })).lines);
	});

	it("isn't proven where one of its amounts can't be read", async () => {
		const tip = "Pago a si:Os seus rendimentos:Gratificação";
		const { money } = await read(toText(withCell(1, tip, "########")), { fileName });
		expect(byProof(money)[1]).toEqual({ row: 3, proof: "unproven", stated: 72_729, found: null });
	});

	it("isn't proven where a column of unknown meaning has money in it", async () => {
		const unknown = "Pago a si:Os seus rendimentos:Qualquer coisa";
		const more = {
			head: [...table.head, unknown],
			rows: table.rows.map((cells, at) => [...cells, at === 1 ? "1.00" : at === 2 ? "0.00" : ""]),
		};
		const { money } = await read(toText(more), { fileName });
		expect(byProof(money).filter(({ proof }) => proof !== "proven")).toMatchObject([{ row: 3 }]);
	});

	it("is neither one nor the other in a file that states no total", async () => {
		const total = table.head.indexOf("Pago a si");
		const without = (cells: readonly string[]) => cells.filter((_, at) => at !== total);
		const earnings = table.head.indexOf("Pago a si : Os seus rendimentos");
		const bare = { head: without(table.head), rows: table.rows.map(without) };
		const partly = await read(toText(bare), { fileName });
		// What is left of its totals is still compared, but doesn't cover the trips' balance.
		const uncovered = partly.money.map(({ cents: { toll, tax, cash, transfer } }) =>
			[toll, tax, cash, transfer].some((cents) => cents !== 0),
		);
		expect(new Set(uncovered).size).toBe(2);
		expect(partly.money.map(({ proof }) => proof)).toEqual(
			uncovered.map((is) => (is ? "unstated" : "proven")),
		);
		const named = renameColumns(bare, { [table.head[earnings] ?? ""]: "" });
		const { money } = await read(toText(named), { fileName });
		expect(new Set(money.map(({ proof }) => proof))).toEqual(new Set(["unstated"]));
	});
});

it("cash isn't proven by totals that it is no part of", async () => {
	const { head, rows } = tableOf("uber-payments-driver-total-earnings");
	const { uploadAs } = expectedOf("uber-payments-driver-total-earnings");
	const payouts = head.indexOf("Payouts");
	const cash = head.indexOf("Payouts : Cash collected");
	const proofs = async (table: Parameters<typeof toText>[0]) =>
		(await read(toText(table), { fileName: uploadAs })).money
			.filter(({ whose }) => whose)
			.map(({ proof }) => proof);
	const expected = rows.slice(0, -1).map((cells) => (cells[cash] === "0" ? "proven" : "unstated"));
	expect(expected).toContain("unstated");
	const none = rows.map((cells) => cells.map((cell, at) => (at === payouts ? "0" : cell)));
	expect(await proofs({ head, rows: none })).toEqual(expected);
	const without = (cells: readonly string[]) => cells.filter((_, at) => at !== payouts);
	expect(await proofs({ head: without(head), rows: rows.map(without) })).toEqual(expected);
});

describe("Bolt's columns", () => {
	const table = tableOf("bolt-weekly");
	const fileName = expectedOf("bolt-weekly").uploadAs;

	it.each(["Ganhos brutos (total)|€", "Ganhos líquidos|€", "Pagamento previsto|€"])(
		"prove a row by %s",
		async (name) => {
			const column = table.head.indexOf(name);
			const rows = table.rows.map((cells, row) =>
				cells.map((cell, at) => (row === 0 && at === column ? "1.00" : cell)),
			);
			const { money } = await read(toText({ head: table.head, rows }), { fileName });
			expect(byProof(money).filter(({ proof }) => proof !== "proven")).toMatchObject([
				{ row: 2, proof: "unproven", stated: 100 },
			]);
		},
	);

	it("of the old report have their signs from the file, but for the cash", async () => {
		const head = [
			...["Kierowca", "Telefon", "Wartość brutto", "Opłata za anulowanie", "Opłata Bolt"],
			...["Przejazdy gotówkowe (przyjęta gotówka)", "Bonus", "Napiwek", "Tygodniowy bilans"],
		];
		const row = ["Jan Kot", "1", "100,00", "5,00", "-25,00", "30,00", "10,00", "2,00", "62,00"];
		const text = toText({ head, rows: [row] }, { separator: ";" });
		const { money } = await read(text, { fileName: "Bolt 2026W39.csv" });
		expect(money).toMatchObject([
			{
				proof: "proven",
				cents: { fare: 10_500, fee: -2_500, cash: -3_000, promotion: 1_000, tip: 200 },
			},
		]);
	});
});

describe("the day on which a transaction counts", () => {
	const week = { from: "2026-09-21", to: "2026-09-27" } as Parameters<typeof countedDay>[2];
	const counted = (cell: string, period: typeof week = null) =>
		countedDay(cell, cell.slice(0, 10) as Parameters<typeof countedDay>[1], period);

	it("ends at 4:00 of the next morning", () => {
		expect(counted("2026-09-28 03:59:59.999 -0400 EDT")).toBe("2026-09-27");
		expect(counted("2026-09-28 04:00:00.0 -0400 EDT")).toBe("2026-09-28");
		expect(counted("2026-09-28 12:30 AM")).toBe("2026-09-27");
		expect(counted("2026-09-28 12:30 PM")).toBe("2026-09-28");
		expect(counted("2026-09-28")).toBe("2026-09-28");
	});

	it("is one of those that its file covers", () => {
		expect(counted("2026-09-28 09:00:00 -0400 EDT", week)).toBe("2026-09-27");
		expect(counted("2026-09-21 02:00:00 -0400 EDT", week)).toBe("2026-09-21");
		expect(counted("2026-09-23 02:00:00 -0400 EDT", week)).toBe("2026-09-22");
	});
});
