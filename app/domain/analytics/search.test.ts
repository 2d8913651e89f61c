/**
 * The mileage report's URL parameters, and the windows they mean (docs/product.md §2, §9, 'Numbers,
 * money and dates').
 */
import { describe, expect, it } from "vitest";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { coverPeriod } from "./blocks.ts";
import { formatSearch, parseSearch } from "./search.ts";

const TODAY = "2026-11-21" as CalendarDate;
const ID = "00000000-0000-4000-8000-000000000003";
const viewOf = (query: string, today: string = TODAY) =>
	parseSearch(new URLSearchParams(query), today as CalendarDate);

describe("the window", () => {
	it.each([
		["", TODAY, "2026-10-22", TODAY],
		["range=week", TODAY, "2026-11-15", TODAY],
		["range=month", TODAY, "2026-10-22", TODAY],
		["range=quarter", TODAY, "2026-08-22", TODAY],
		["range=year", TODAY, "2026-10-22", TODAY],
		["range=__proto__", TODAY, "2026-10-22", TODAY],
		// The same day a month ago, clamped to that month's end.
		["range=month", "2026-03-31", "2026-03-01", "2026-03-31"],
		["range=month", "2024-03-30", "2024-03-01", "2024-03-30"],
		["range=month", "2024-03-29", "2024-03-01", "2024-03-29"],
		["range=month", "2024-02-29", "2024-01-30", "2024-02-29"],
		["range=quarter", "2026-05-31", "2026-03-01", "2026-05-31"],
		["range=week", "2026-01-03", "2025-12-28", "2026-01-03"],
		["range=custom&startDate=2026-01-05&endDate=2026-01-05", TODAY, "2026-01-05", "2026-01-05"],
		["range=custom&startDate=1990-01-01&endDate=2030-01-01", TODAY, "2000-01-01", "2026-11-22"],
		["range=month&startDate=2026-01-05&endDate=2026-01-06", TODAY, "2026-10-22", TODAY],
	])("'%s' on %s is %s to %s", (query, today, from, to) => {
		const { period, problem } = viewOf(query, today);
		expect(period).toEqual({ from, to });
		expect(problem).toBeUndefined();
	});

	it.each([
		["startDate=2026-11-01", "Enter both a start date and an end date"],
		["endDate=2026-11-01", "Enter both a start date and an end date"],
		["", "Enter both a start date and an end date"],
		["startDate=2026-02-30&endDate=2026-11-01", "Enter both a start date and an end date"],
		["startDate=2026-11-02&endDate=2026-11-01", "The start date is after the end date"],
	])("a custom one of '%s' isn't applied, with a reason", (dates, problem) => {
		const view = viewOf(`range=custom&${dates}`);
		expect(view.problem).toBe(problem);
		expect(view.period).toEqual({ from: "2026-10-22", to: TODAY });
		expect(view.range).toBe("custom");
		expect(view.named).toBe(view.period);
	});

	it.each([
		["2026-11-23", "2026-11-30"],
		["1999-01-01", "1999-12-31"],
		["0001-01-01", "0001-01-01"],
	])(
		"from %s to %s, where no entry can exist, is applied, is empty and keeps its name",
		(from, to) => {
			const { period, named, problem } = viewOf(`range=custom&startDate=${from}&endDate=${to}`);
			expect(problem).toBeUndefined();
			expect(named).toEqual({ from, to });
			expect(coverPeriod(period)).toEqual([]);
		},
	);
});

describe("its other parameters", () => {
	it("are a driver, a position in either list, and whether only flagged entries are shown", () => {
		const entry = `2026-11-20_45000_${ID}`;
		const query = `?driver=${ID}&range=week&show=flagged&after=${ID}&entry=${entry}`;
		const view = viewOf(query);
		expect(view).toMatchObject({
			driver: ID,
			isFlaggedOnly: true,
			page: { way: "after", cursor: ID },
			entry: { way: "after", cursor: { drivenOn: "2026-11-20", endMiles: 45_000, id: ID } },
		});
		expect(formatSearch(view)).toBe(query);
		expect(formatSearch(viewOf("range=custom&startDate=2026-11-01"))).toBe(
			"?range=custom&startDate=2026-11-01",
		);
		expect(formatSearch(viewOf(""), { dialog: "void" })).toBe("?dialog=void");
		expect(formatSearch(viewOf(""))).toBe("");
	});

	it.each([
		"driver=all",
		"driver=x'",
		"driver=",
		"show=flagged",
		"after=x",
		"entry=x",
		"entry=2026-02-30_1_x",
	])("ignores '%s'", (query) => {
		expect(formatSearch(viewOf(query))).toBe("");
	});

	it.each(["2026-10-21", "2026-11-22"])("ignores a cursor outside the window: %s", (date) => {
		expect(viewOf(`entry=${date}_1_${ID}`).entry).toBeUndefined();
	});
});
