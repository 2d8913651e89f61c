/** The currency that a statement's amounts name. */
import { describe, expect, it } from "vitest";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { rowOf, tableOf, toText } from "../../../tests/support/statement-tables.ts";
import { read } from "../../../tests/support/statements.ts";
import { FileCurrency, mixedCurrenciesText } from "./file-currency.ts";

const lastEvent = async (text: string, fileName: string) =>
	(await read(text, { fileName })).events.at(-1);

const order = tableOf("uber-payments-order");
const ORDER_FILE = "20260921-20260928-payments_order-Example.csv";

/** A statement by transaction with these fees. */
const withFees = (...fees: readonly string[]) =>
	toText({
		head: order.head,
		rows: fees.map((fee, at) =>
			rowOf(order, {
				"transaction UUID": `0000000${at}-0000-3000-8000-000000000000`,
				"Driver UUID": "5bd21b6a-ec89-47a6-8a0a-c984f71ab247",
				"vs reporting": "2026-09-22 10:00:00.1 -0400 EDT",
				"Paid to you:Your earnings:Service fee": fee,
			}),
		),
	});

it.each([
	[["-6.06", "-1.00"], null],
	[["-$6.06", "-1.00 US$", "USD -2.00", "-3.00"], "USD"],
	[["-6.06 €", "-1.00", "EUR -2.00"], "EUR"],
	[["-6.06", "-1.00 zł", "-2.00 PLN"], "PLN"],
	[["-6.06 CA$"], "CA$"],
	[["-$6.06", "-1.00 EUR"], "EUR"],
	[["GBP -6.06", "-$1.00"], "GBP"],
	[["-$6.06", "-1.00 €"], null],
	[["-6.06 €", "-$1.00", "EUR -2.00"], "EUR"],
])("of %j is %j", async (fees, currency) => {
	expect(await lastEvent(withFees(...fees), ORDER_FILE)).toMatchObject({ kind: "end", currency });
});

it.each([
	["-6.06 €", "-1.00 £"],
	["-1.00 EUR", "CHF -6.06"],
])("can't be two: %s and %s are named", async (first, second) => {
	expect(await lastEvent(withFees("-3.00", first, second), ORDER_FILE)).toEqual({
		kind: "broken",
		message: `This file has money in more than one currency: ${first} and ${second}. Choose a file for each currency, with the same sign or code beside every amount.`,
	});
});

it("is read where a spreadsheet has formatted only some amounts", async () => {
	const real = fieldFile("accounting-formats-payments_order.csv");
	expect(await lastEvent(real, ORDER_FILE)).toMatchObject({ kind: "end", currency: null });
});

it("is the headings' own, which a plain sign may stand for", () => {
	const canadian = new FileCurrency("CAD");
	expect(["5.00", "$5.00", "CAD 5.00"].map((cell) => canadian.add(cell))).toEqual([
		...[undefined, undefined, undefined],
	]);
	expect(canadian.code).toBe("CAD");
	expect(canadian.add("5.00 €")).toEqual(["CAD", "5.00 €"]);
});

describe("a file with columns of its own", () => {
	const withColumns = (amount: string, ...rows: readonly string[]) =>
		lastEvent(
			[
				`Driver ID,Category,Date,${amount}`,
				...rows.map((row) => `DRV-0001,Other,2026-09-22,${row}`),
			]
				.join("\n")
				.concat("\n"),
			"fees.csv",
		);

	it.each([
		["Amount (EUR)", "EUR"],
		["Amount [in eur]", "EUR"],
		["Fee amount €", "EUR"],
		["Total in £", "GBP"],
		["amount_pln", "PLN"],
		["Amount ($)", "USD"],
		["Amount", null],
		["Fees charged (all)", null],
		["Amount of the fee", null],
	])("names it in the heading %s: %s", async (heading, currency) => {
		expect(await withColumns(heading, "5.00")).toMatchObject({ kind: "end", currency });
	});

	it.each([
		["Currency", ["EUR", "EUR"], "EUR"],
		["currency code", ["", "gbp"], "GBP"],
		["Währung", ["€", ""], "EUR"],
		["Currency", ["USD", "USD"], "USD"],
		["Currency", ["USD", "EUR"], "EUR"],
		["Currency", ["", "not stated"], null],
	])("names it in the column %s: %j is %s", async (heading, cells, currency) => {
		const rows = cells.map((cell) => `5.00,${cell}`);
		expect(await withColumns(`Amount,${heading}`, ...rows)).toMatchObject({
			kind: "end",
			currency,
		});
	});

	it("can't have two", async () => {
		expect(await withColumns("Amount (EUR),Currency", "5.00,EUR", "6.00,PLN")).toEqual({
			kind: "broken",
			message: mixedCurrenciesText(["Amount (EUR)", "PLN"]),
		});
	});

	it("may have it in a header that is repeated", async () => {
		const again = "5.00\nDriver ID,Category,Date,Amount (PLN)\nDRV-0001,Other,2026-09-22,6.00";
		expect(await withColumns("Amount", again)).toMatchObject({ kind: "end", currency: "PLN" });
	});
});
