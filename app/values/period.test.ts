/** 'Last N days' is N calendar dates ending today (docs/product.md, 'Numbers, money and dates'). */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CalendarDate, dateIn, daysBetween, parseCalendarDate } from "./calendar-date.ts";
import {
	clampPeriod,
	formatPeriod,
	lastDays,
	lastMonths,
	toMomentRange,
	toOpenMomentRange,
} from "./period.ts";

it.each([
	["2026-11-21", 7, "2026-11-15"],
	["2026-03-03", 7, "2026-02-25"],
	["2024-03-03", 7, "2024-02-26"],
	["2026-01-01", 30, "2025-12-03"],
	["2026-11-21", 1, "2026-11-21"],
	["2026-11-21", 90, "2026-08-24"],
])("on %s the last %i days begin on %s", (today, days, from) => {
	expect(lastDays(today as CalendarDate, days)).toEqual({ from, to: today });
});

it.each([
	["2026-11-21", 1, "2026-10-22"],
	["2026-03-01", 1, "2026-02-02"],
	["2026-02-28", 1, "2026-01-29"],
	// There is no February 29 to 31, so the month before ends on the 28th.
	["2026-03-29", 1, "2026-03-01"],
	["2026-03-31", 1, "2026-03-01"],
	["2024-03-31", 1, "2024-03-01"],
	["2024-03-30", 1, "2024-03-01"],
	["2026-12-31", 1, "2026-12-01"],
	["2026-01-31", 1, "2026-01-01"],
	["2026-01-15", 1, "2025-12-16"],
	["2026-05-31", 3, "2026-03-01"],
	["2026-11-21", 3, "2026-08-22"],
])("on %s the last %i months begin on %s", (today, months, from) => {
	expect(lastMonths(today as CalendarDate, months)).toEqual({ from, to: today });
});

it("has as many dates as its name", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 1000 }),
			fc.integer({ min: 0, max: 20_000 }),
			(days, epochDay) => {
				const today = new Date(epochDay * 86_400_000).toISOString().slice(0, 10) as CalendarDate;
				const { from, to } = lastDays(today, days);
				expect(to).toBe(today);
				expect(daysBetween(from, to) + 1).toBe(days);
			},
		),
	);
});

it.each([
	// Daylight saving time ends on November 1, 2026: the first day is four hours behind UTC, the last
	// ends five behind.
	[
		"America/New_York",
		"2026-10-26",
		"2026-11-01",
		Date.UTC(2026, 9, 26, 4),
		Date.UTC(2026, 10, 2, 5),
	],
	[
		"Asia/Tokyo",
		"2026-11-21",
		"2026-11-21",
		Date.UTC(2026, 10, 20, 15),
		Date.UTC(2026, 10, 21, 15),
	],
	["UTC", "2026-12-31", "2026-12-31", Date.UTC(2026, 11, 31), Date.UTC(2027, 0, 1)],
])(
	"in %s the moments from %s to %s are those of its midnights",
	(zone, from, to, first, before) => {
		const period = { from: from as CalendarDate, to: to as CalendarDate };
		expect(toMomentRange(zone, period)).toEqual({ from: first, before });
		expect(
			[first - 1, first, before - 1, before].map(
				(at) => dateIn(zone, at) >= from && dateIn(zone, at) <= to,
			),
		).toEqual([false, true, true, false]);
	},
);

it.each([
	[undefined, undefined, "2000-01-01", "2026-11-23"],
	["1999-12-31", "2026-11-24", "2000-01-01", "2026-11-23"],
	["2000-01-01", "2026-11-23", "2000-01-01", "2026-11-23"],
	["2000-01-02", "2026-11-22", "2000-01-02", "2026-11-22"],
	["2026-11-20", undefined, "2026-11-20", "2026-11-23"],
	[undefined, "2026-11-20", "2000-01-01", "2026-11-20"],
] as const)("an open period of %s to %s covers %s to %s", (from, to, first, last) => {
	const dated = (text: string | undefined) => text && parseCalendarDate(text);
	const period = clampPeriod(
		dated(from) || undefined,
		dated(to) || undefined,
		parseCalendarDate("2026-11-22"),
	);
	expect(period).toEqual({ from: first, to: last });
});

it.each(["America/New_York", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])(
	"an open range in %s has moments for every date of the calendar",
	(zone) => {
		const dated = parseCalendarDate;
		expect(toOpenMomentRange(zone, undefined, undefined)).toEqual({
			from: undefined,
			before: undefined,
		});
		const day = { from: dated("2026-11-01"), to: dated("2026-11-01") };
		expect(toOpenMomentRange(zone, day.from, day.to)).toEqual(toMomentRange(zone, day));
		const [first, last] = [dated("0001-01-01"), dated("9999-12-31")];
		const all = toOpenMomentRange(zone, first, last);
		expect(all.from).toBeLessThan(Date.UTC(2000, 0, 3));
		expect(all.before).toBeGreaterThan(Date.UTC(9998, 0));
		expect(toOpenMomentRange(zone, last, undefined).from).toBeGreaterThan(Date.UTC(9998, 0));
		expect(toOpenMomentRange(zone, undefined, first).before).toBeLessThan(Date.UTC(2000, 0, 4));
	},
);

it.each([
	["2026-11-15", "2026-11-21", "Nov 15 to Nov 21, 2026"],
	["2025-12-31", "2026-01-01", "Dec 31, 2025 to Jan 1, 2026"],
	["2026-11-21", "2026-11-21", "Nov 21, 2026"],
])("%s to %s is written %s", (from, to, words) => {
	expect(formatPeriod({ from: parseCalendarDate(from), to: parseCalendarDate(to) })).toBe(words);
});
