/** Amounts in a statement's cells. */
import { describe, expect, it } from "vitest";
import { rowOf, tableOf, toText } from "../../../tests/support/statement-tables.ts";
import { read } from "../../../tests/support/statements.ts";
import { currencyIn, isMoney, parseAmount } from "./amount.ts";

describe("a cell", () => {
	it.each(["", " ", "-", "–", "—", " $ - ", "$-", "- €", "\u00a0"])("%j is nothing", (cell) => {
		expect(parseAmount(cell)).toBe(0);
	});

	it.each(["$", "€", "#REF!", "########", "n/a", "1,234", "5-Apr", "3.51913E+11"])(
		"%j can't be read",
		(cell) => {
			expect(parseAmount(cell)).toBeNull();
		},
	);

	it("may name its currency", () => {
		expect(["-6.06 €", "$(6.03)", "EUR 5", "5.00", "x €"].map(currencyIn)).toEqual([
			"€",
			"$",
			"EUR",
			undefined,
			undefined,
		]);
	});

	it("is money if it has decimals", () => {
		expect(["5.00", "5,5", "(5.00)", "$5.00", "1,234.50"].filter((cell) => !isMoney(cell))).toEqual(
			[],
		);
		expect(["5", "600 100 200", "21.09.2026", "1,250", "-", ""].filter(isMoney)).toEqual([]);
	});
});

it("reads a fee in every accounting format", async () => {
	const order = tableOf("uber-payments-order");
	const amounts = [
		...["(6.01)", "-$6.02", "$(6.03)", "-6.0400", "6.05-", "-6.06 $", "- 6.07"],
		...["-6.079999999999999", "-1\u2009234,56", "-1'234.57"],
	];
	const rows = amounts.map((amount, at) =>
		rowOf(order, {
			"transaction UUID": `0000000${at}-0000-3000-8000-000000000000`,
			"Driver UUID": "5bd21b6a-ec89-47a6-8a0a-c984f71ab247",
			"vs reporting": "2026-09-22 10:00:00.1 -0400 EDT",
			"Paid to you:Your earnings:Service fee": amount,
		}),
	);
	const { lines, leftOut } = await read(toText({ head: order.head, rows }), {
		fileName: "20260921-20260928-payments_order-Example.csv",
	});
	expect(leftOut).toEqual([]);
	expect(lines.map(({ cents }) => cents)).toEqual([
		...[601, 602, 603, 604, 605, 606, 607, 608],
		...[123_456, 123_457],
	]);
});

it("says both numbers that a fee can mean, and nothing else of one that can't be read", async () => {
	const order = tableOf("uber-payments-order");
	const rows = ["-1,234", "########"].map((amount, at) =>
		rowOf(order, {
			"transaction UUID": `0000000${at}-0000-3000-8000-000000000000`,
			"Driver UUID": "5bd21b6a-ec89-47a6-8a0a-c984f71ab247",
			"vs reporting": "2026-09-22 10:00:00.1 -0400 EDT",
			"Paid to you:Your earnings:Service fee": amount,
		}),
	);
	const { leftOut } = await read(toText({ head: order.head, rows }), {
		fileName: "20260921-20260928-payments_order-Example.csv",
	});
	expect(leftOut.map(({ reason, why }) => [reason, why])).toEqual([
		[
			"unreadable-amount",
			"An amount such as -1,234 is ambiguous: it can mean 1234.00 or 1.234. Enter 1234.00, or an amount with up to two decimals",
		],
		["unreadable-amount", undefined],
	]);
});
