/** What a file of fees may have, and what its columns are called. */
import { describe, expect, it } from "vitest";
import { COLUMN_LABELS, COLUMNS, guessMapping, OPTIONAL_COLUMNS } from "./columns.ts";

it("has six columns, of which two may be absent", () => {
	expect(COLUMNS.map((column) => COLUMN_LABELS[column])).toEqual([
		"Driver",
		"Fee Category",
		"Amount",
		"Date",
		"Reference Number",
		"Description",
	]);
	expect(OPTIONAL_COLUMNS).toEqual(["reference", "description"]);
});

describe("a column is told by its heading", () => {
	const told = (head: string) => {
		const names = head.split(", ");
		return Object.fromEntries(
			Object.entries(guessMapping(names)).map(([column, place]) => [column, names[Number(place)]]),
		);
	};

	it.each([
		["Driver ID, Date, Fee category, Total trips, Fee total", { amount: "Fee total" }],
		["Driver ID, Date, Type, Fee, Tip amount", { amount: "Fee" }],
		["Driver ID, Last updated, Fee category, Amount, Day", { date: "Day" }],
		["Driver ID, Date of birth, Category, Amount, Posting date", { date: "Posting date" }],
		["Driver rating, Courier driver, Date, Category, Amount", { driver: "Courier driver" }],
		["fee_date, DRIVER'S NAME, Transaction type, Trip cost", { category: "Transaction type" }],
		["fee_date, DRIVER'S NAME, Transaction type, Trip cost", { driver: "DRIVER'S NAME" }],
		["fee_date, DRIVER'S NAME, Transaction type, Trip cost", { amount: "Trip cost" }],
	])("%s: %j", (head, columns) => {
		expect(told(head)).toMatchObject(columns);
	});

	it.each([
		["amount", "Driver ID, Date, Category, Total trips"],
		["amount", "Driver ID, Date, Category, Net amount, Gross amount, Fare"],
		["amount", "Driver ID, Date, Category, Amount, Amount"],
		["amount", "Driver ID, Date, Category, Amount, Fee amount, Total"],
		["date", "Driver ID, Category, Amount, Start date, End date"],
		["date", "Driver ID, Category, Amount, Date, Charge date, Day"],
		["driver", "Driver first name, Driver last name, Date, Category, Amount"],
		["category", "Driver ID, Vehicle type, Kind of fee, Date, Amount"],
	])("or left to a person: the %s of %s", (column, head) => {
		expect(told(head)).not.toHaveProperty(column);
	});
});
