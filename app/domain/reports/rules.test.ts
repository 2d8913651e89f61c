import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, daysBetween, parseCalendarDate, weekdayOf } from "../../values/calendar-date.ts";
import { customPeriod, parseOwnYear } from "./input.ts";
import {
	datesOfRanges,
	defaultPaper,
	FORMAT_LABELS,
	listDates,
	PAPER_LABELS,
	previousPeriod,
	RANGE_LABELS,
	RANGES,
	rangePeriod,
	reportFileName,
	splitIntoWeeks,
	TYPE_LABELS,
	timeliness,
	yearChoices,
	yearPeriod,
} from "./rules.ts";

const day = parseCalendarDate;
const span = (from: string, to: string) => ({ from: day(from), to: day(to) });
const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(day("2000-03-01"), days));

it("offers types, ranges, formats and paper sizes", () => {
	expect(Object.values(TYPE_LABELS)).toEqual([
		"Weekly Summary",
		"Monthly Summary",
		"Driver Breakdown",
		"Expense Analysis",
	]);
	expect(Object.values(RANGE_LABELS)).toEqual([
		"Current Week",
		"Last Week",
		"Current Month",
		"Last Month",
		"Custom Range",
	]);
	expect(Object.values(FORMAT_LABELS)).toEqual(["PDF", "CSV", "Excel"]);
	expect(Object.values(PAPER_LABELS)).toEqual(["US Letter", "A4"]);
});

describe("ranges", () => {
	it.each([
		["current_week", "2026-11-21", "2026-11-15", "2026-11-21"],
		["current_week", "2026-11-22", "2026-11-22", "2026-11-22"],
		["last_week", "2026-11-21", "2026-11-08", "2026-11-14"],
		["last_week", "2026-01-03", "2025-12-21", "2025-12-27"],
		["current_month", "2026-11-21", "2026-11-01", "2026-11-21"],
		["current_month", "2026-11-01", "2026-11-01", "2026-11-01"],
		["last_month", "2026-01-15", "2025-12-01", "2025-12-31"],
		["last_month", "2024-03-31", "2024-02-01", "2024-02-29"],
	] as const)("%s on %s is %s to %s", (range, today, from, to) => {
		expect(rangePeriod(range, day(today))).toEqual(span(from, to));
	});

	it("have dates, except for the custom one", () => {
		expect(datesOfRanges(day("2026-11-21"))).toEqual({
			current_week: { startDate: "2026-11-15", endDate: "2026-11-21" },
			last_week: { startDate: "2026-11-08", endDate: "2026-11-14" },
			current_month: { startDate: "2026-11-01", endDate: "2026-11-21" },
			last_month: { startDate: "2026-10-01", endDate: "2026-10-31" },
		});
	});

	it("never lie in the future, and weeks start on Sunday", () => {
		fc.assert(
			fc.property(anyDay, (today) => {
				for (const range of RANGES) {
					if (range === "custom") continue;
					const { from, to } = rangePeriod(range, today);
					expect(from <= to && to <= today).toBe(true);
					if (range.endsWith("week")) expect(weekdayOf(from)).toBe(0);
				}
			}),
		);
	});
});

describe("the period before", () => {
	it.each([
		["a week", "2026-11-08", "2026-11-14", "2026-11-01", "2026-11-07"],
		["a week that has begun", "2026-11-15", "2026-11-18", "2026-11-08", "2026-11-11"],
		["a month", "2026-10-01", "2026-10-31", "2026-09-01", "2026-09-30"],
		["February", "2026-02-01", "2026-02-28", "2026-01-01", "2026-01-31"],
		["March after February", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
		["a month that has begun", "2026-11-01", "2026-11-21", "2026-10-01", "2026-10-21"],
		["most of March", "2026-03-01", "2026-03-30", "2026-02-01", "2026-02-28"],
		["any days", "2026-11-10", "2026-11-12", "2026-11-07", "2026-11-09"],
		["a year", "2024-01-01", "2024-12-31", "2022-12-31", "2023-12-31"],
	])("%s: %s to %s has %s to %s", (_, from, to, before, last) => {
		expect(previousPeriod(span(from, to), "weekly")).toEqual(span(before, last));
	});

	it("of the first days of a month that begins on a Sunday is the month's in a monthly summary, the week's in a weekly one", () => {
		expect(previousPeriod(span("2026-11-01", "2026-11-05"), "monthly")).toEqual(
			span("2026-10-01", "2026-10-05"),
		);
		expect(previousPeriod(span("2026-11-01", "2026-11-05"), "weekly")).toEqual(
			span("2026-10-25", "2026-10-29"),
		);
	});

	it("ends before the period begins", () => {
		fc.assert(
			fc.property(anyDay, fc.integer({ min: 0, max: 365 }), (from, days) => {
				const before = previousPeriod({ from, to: addDays(from, days) }, "expense");
				expect(before.from <= before.to && before.to < from).toBe(true);
			}),
		);
	});
});

it("cuts a period into weeks that hold every date once", () => {
	fc.assert(
		fc.property(anyDay, fc.integer({ min: 0, max: 365 }), (from, days) => {
			const period = { from, to: addDays(from, days) };
			const weeks = splitIntoWeeks(period);
			const dates = weeks.flatMap(listDates);
			expect([dates.length, dates[0], dates.at(-1)]).toEqual([days + 1, from, period.to]);
			expect(dates).toEqual(listDates(period));
			for (const week of weeks.slice(1)) expect(weekdayOf(week.from)).toBe(0);
			for (const week of weeks) expect(daysBetween(week.from, week.to)).toBeLessThanOrEqual(6);
		}),
	);
});

it("accepts custom dates, or says what is wrong with which one", () => {
	const today = day("2026-11-21");
	expect(customPeriod("2025-11-21", "2026-11-21", today)).toEqual(span("2025-11-21", "2026-11-21"));
	const wrong = (start: string, end: string) => {
		const found = customPeriod(start, end, today);
		return "from" in found ? [] : found.map(({ field }) => field);
	};
	expect(wrong("", "")).toEqual(["startDate", "endDate"]);
	expect(wrong("2025-11-20", "2026-11-21")).toEqual(["endDate"]);
	expect(wrong("2026-11-22", "2026-11-22")).toEqual(["startDate"]);
	expect(wrong("2026-11-20", "2026-11-22")).toEqual(["endDate"]);
	expect(wrong("2026-11-20", "2026-11-19")).toEqual(["startDate"]);
	expect(wrong("2026-02-29", "2026-03-01")).toEqual(["startDate"]);
});

it("says how soon a trip was recorded, by calendar dates", () => {
	const driven = day("2026-03-07");
	expect(
		["2026-03-06", "2026-03-07", "2026-03-08", "2026-03-14", "2026-03-15"].map((on) =>
			timeliness(driven, day(on)),
		),
	).toEqual(["Same day", "Same day", "Within a week", "Within a week", "Later"]);
});

it("ends this year today, and knows the usual paper size", () => {
	expect(yearPeriod(2026, day("2026-11-21"))).toEqual(span("2026-01-01", "2026-11-21"));
	expect(yearPeriod(2024, day("2026-11-21"))).toEqual(span("2024-01-01", "2024-12-31"));
	expect(
		["America/New_York", "Pacific/Honolulu", "Europe/Berlin", "Asia/Ho_Chi_Minh", "UTC"].map(
			defaultPaper,
		),
	).toEqual(["letter", "letter", "a4", "a4", "a4"]);
});

describe("a driver's own year", () => {
	it.each([
		["nothing else", [], "2026-11-21", [2026]],
		["earlier ones with entries", ["2011-12-31", "2024-01-01"], "2026-11-21", [2026, 2024, 2011]],
		["this one once", ["2025-01-01", "2026-01-01"], "2026-11-21", [2026, 2025]],
		["none before 2000", ["1999-12-31", "2000-01-01"], "2026-11-21", [2026, 2000]],
		["not tomorrow's, on December 31", ["2026-12-31", "2027-01-01"], "2026-12-31", [2026]],
		["the new one from January 1", ["2026-12-31"], "2027-01-01", [2027, 2026]],
	])("offers this one and %s", (_, entries, today, years) => {
		expect(yearChoices(entries.map(day), day(today))).toEqual(years);
	});

	it.each([
		["year=2026&format=pdf", "2026-12-31", { year: 2026, format: "pdf" }],
		["year=2027&format=xlsx", "2027-01-01", { year: 2027, format: "excel" }],
		["year=2000&format=EXCEL", "2026-11-21", { year: 2000, format: "excel" }],
		["year=2026&year=1&format=pdf", "2026-11-21", { year: 2026, format: "pdf" }],
	])("%s on %s is %o", (query, today, value) => {
		expect(parseOwnYear(new URLSearchParams(query), day(today), ["pdf", "excel"])).toEqual({
			ok: true,
			value,
		});
	});

	it.each([
		["year=2027&format=pdf", "The year must be between 2000 and 2026."],
		["year=02026&format=pdf", "Enter a year, such as 2026."],
		["year=-026&format=pdf", "Enter a year, such as 2026."],
		["year=2026&format=csv", "Select PDF or Excel."],
		["year=2026&format=toString", "Select PDF or Excel."],
		["", "Enter a year, such as 2026. Select PDF or Excel."],
	])("%s on December 31, 2026 is refused: %s", (query, message) => {
		const asked = parseOwnYear(new URLSearchParams(query), day("2026-12-31"), ["pdf", "excel"]);
		expect(asked).toMatchObject({ ok: false, reason: "invalid", details: { message } });
	});
});

it.each([
	["pdf", "fleet-report-2026-11-21.pdf"],
	["csv", "fleet-report-2026-11-21.csv"],
	["excel", "fleet-report-2026-11-21.xlsx"],
] as const)("names a report as %s %s", (format, name) => {
	expect(reportFileName(day("2026-11-21"), format)).toBe(name);
});
