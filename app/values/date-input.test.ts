/** Which dates a new entry may have. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "./calendar-date.ts";
import {
	entryDate,
	firstEntryDate,
	optionalPastDate,
	queryDate,
	queryDates,
} from "./date-input.ts";

const faultOf = (today: string, typed: string, graceDays = 0) =>
	v.safeParse(entryDate(parseCalendarDate(today), "missing", graceDays), typed).issues?.[0].message;

describe("entryDate", () => {
	it("says that a date is missing, and starts in years of four digits", () => {
		const today = parseCalendarDate("2026-11-22");
		expect(v.safeParse(entryDate(today, "missing"), undefined).issues?.[0].message).toBe("missing");
		expect(firstEntryDate(parseCalendarDate("0900-05-05"))).toBe("0898-01-01");
	});

	it.each([
		["2026-11-22", "2024-01-01"],
		["2026-01-01", "2024-01-01"],
		["2025-12-31", "2023-01-01"],
		["2028-02-29", "2026-01-01"],
	])("on %s starts at %s", (today, first) => {
		expect(firstEntryDate(parseCalendarDate(today))).toBe(first);
		expect(faultOf(today, first)).toBeUndefined();
	});

	it.each([
		["2026-11-22", "2023-12-31", 0, "The date can't be before Jan 1, 2024"],
		["2026-11-22", "2000-01-01", 0, "The date can't be before Jan 1, 2024"],
		["2026-11-22", "0001-01-01", 1, "The date can't be before Jan 1, 2024"],
		["2026-11-22", "2026-11-22", 0, undefined],
		["2026-11-22", "2026-11-23", 0, "The date can't be in the future"],
		["2026-11-22", "2026-11-23", 1, undefined],
		["2026-11-22", "2026-11-24", 1, "The date can't be in the future"],
		// The phone is a year ahead of the fleet for some hours: the first date is the fleet's.
		["2026-12-31", "2027-01-01", 1, undefined],
		["2026-12-31", "2024-01-01", 1, undefined],
		["2027-01-01", "2024-12-31", 1, "The date can't be before Jan 1, 2025"],
		["2026-11-22", "2024-01-01T00:00:00.000Z", 0, undefined],
		["2026-11-22", " 2024-01-01T00:00:00Z ", 0, undefined],
		["2026-11-22", "2024-01-01T00:00+00:00", 0, undefined],
		["2026-11-22", "2024-01-01T00:00Z-1", 0, "Enter a valid date (YYYY-MM-DD)"],
		["2026-11-22", "2026-11T00:00Z-01", 0, "Enter a valid date (YYYY-MM-DD)"],
		["2026-11-22", "", 0, "missing"],
		["2026-11-22", "2026-02-30", 0, "Enter a valid date (YYYY-MM-DD)"],
	])("on %s answers %j with %i days of grace by %j", (today, typed, graceDays, fault) => {
		expect(faultOf(today, typed, graceDays)).toBe(fault);
	});
});

it("takes a moment at midnight UTC as a date in a query, and no other moment", () => {
	expect(queryDate("2026-11-25T00:00:00.000Z")).toBe("2026-11-25");
	expect(queryDate("2026-11-25")).toBe("2026-11-25");
	for (const text of ["2026-11-25T01:00:00.000Z", "2026-02-30", "", null])
		expect(queryDate(text)).toBeUndefined();
});

it.each([
	["from=2026-11-02&to=2026-11-08", ["2026-11-02", "2026-11-08"]],
	["from=2026-11-08&to=2026-11-02", ["2026-11-02", "2026-11-08"]],
	["from=2026-11-08&to=soon", ["2026-11-08", undefined]],
	["to=2026-11-02", [undefined, "2026-11-02"]],
])("reads the dates of %s in their order", (query, dates) => {
	expect(queryDates(new URLSearchParams(query), ["from", "to"])).toEqual(dates);
});

it.each([
	[undefined, undefined],
	["", undefined],
	["2026-11-22", undefined],
	["2026-10-23", undefined],
	["2026-11-23", "The date can't be in the future"],
	["2026-10-22", "The date can't be more than 30 days ago"],
	["2026-02-30", "Enter a valid date (YYYY-MM-DD)"],
])("optionalPastDate of 30 days answers %j by %j", (typed, fault) => {
	const schema = optionalPastDate(parseCalendarDate("2026-11-22"), 30);
	expect(v.safeParse(schema, typed).issues?.[0].message).toBe(fault);
});
