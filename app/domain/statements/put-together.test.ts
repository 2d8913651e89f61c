/** Files that somebody put together, with column names further down. */
import { describe, expect, it } from "vitest";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { reorderColumns, tableOf, toText } from "../../../tests/support/statement-tables.ts";
import { read, sampleText } from "../../../tests/support/statements.ts";

const TWO_WEEKS = fieldFile("two-weeks-payments_order.csv");
const name = "all.csv";
const centsOf = async (text: string) =>
	(await read(text, { fileName: name })).lines.map(({ category, cents }) => [category, cents]);

describe("two weeks in one file", () => {
	it("are each read by their own column names", async () => {
		const { lines, leftOut, end } = await read(TWO_WEEKS, { fileName: name });
		expect(lines.map(({ row, category, cents }) => [row, category, cents])).toEqual([
			[2, "service_fee", 400],
			[4, "service_fee", 300],
		]);
		expect(leftOut).toEqual([{ kind: "left-out", row: 3, reason: "repeated-header", cents: 0 }]);
		expect(end?.notFeeColumns.map((column) => column.name)).toEqual(
			expect.arrayContaining([
				"Paid to you:Your earnings:Tip",
				"Paid to you:Trip balance:Payouts:Cash Collected",
			]),
		);
		expect(end?.feeColumns).toHaveLength(1);
	});

	it("give the same fees when the second one's columns are in any other order", async () => {
		const order = tableOf("uber-payments-order");
		const half = Math.floor(order.rows.length / 2);
		const [first, second] = [
			{ head: order.head, rows: order.rows.slice(0, half) },
			{ head: order.head, rows: order.rows.slice(half) },
		];
		const columns = order.head.map((_, column) => column);
		const turned = reorderColumns(second, [...columns.slice(7), ...columns.slice(0, 7)]);
		expect(await centsOf(toText(first) + toText(turned))).toEqual(await centsOf(toText(order)));
	});

	it("keep the total of an unknown column that only one of them has", async () => {
		const other = "Paid to you:Your earnings:Something new";
		const text = TWO_WEEKS.replaceAll("Paid to you:Your earnings:Tip", other);
		const { end } = await read(text, { fileName: name });
		expect(end?.unknownColumns).toEqual([{ name: other, cents: 500, unreadable: 0 }]);
	});
});

describe("files that can't be read together", () => {
	const broken = async (text: string) => (await read(text, { fileName: name })).events.at(-1);
	it.each([
		["by transaction and by driver", sampleText("uber-payments-driver")],
		["from two platforms", sampleText("bolt-weekly").replace(/^\ufeff/, "")],
		[
			"of which one has no fee",
			"transaction UUID,Driver UUID,Driver first name,Trip UUID,vs reporting,Paid to you\n",
		],
	])("are refused: %s", async (_, second) => {
		expect(await broken(sampleText("uber-payments-order") + second)).toEqual({
			kind: "broken",
			message: expect.stringMatching(
				/^Row \d+ names the columns of another file, and .* Upload each file by itself\.$/,
			),
		});
	});

	it("are refused: in two currencies", async () => {
		const bolt = sampleText("bolt-weekly").replace(/^\ufeff/, "");
		expect(await broken(bolt + bolt.replaceAll("|€", "|ZŁ"))).toMatchObject({ kind: "broken" });
	});
});
