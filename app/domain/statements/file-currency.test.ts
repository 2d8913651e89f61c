/** The currency that a statement's amounts name. */
import { expect, it } from "vitest";
import { fieldFile } from "../../../tests/support/field-files.ts";
import { rowOf, tableOf, toText } from "../../../tests/support/statement-tables.ts";
import { read } from "../../../tests/support/statements.ts";
import { FileCurrency } from "./file-currency.ts";

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
	expect(await lastEvent(real, ORDER_FILE)).toMatchObject({ kind: "end", currency: "EUR" });
});

it("is the headings' own, which a plain sign may stand for", () => {
	const canadian = new FileCurrency("CAD");
	expect(["5.00", "$5.00", "CAD 5.00"].map((cell) => canadian.add(cell))).toEqual([
		...[undefined, undefined, undefined],
	]);
	expect(canadian.code).toBe("CAD");
	expect(canadian.add("5.00 €")).toEqual(["CAD", "5.00 €"]);
});
