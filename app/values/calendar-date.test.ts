/**
 * Dates against three independent computations: a day-by-day walk of the calendar, the host's zone
 * data by offset, and written tables.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	addDays,
	addMonths,
	type CalendarDate,
	dateIn,
	daysBetween,
	formatDate,
	formatDay,
	formatLongDate,
	formatMonth,
	formatTime,
	formatWeekday,
	isCalendarDate,
	parseCalendarDate,
	startOfDay,
	weekdayOf,
} from "./calendar-date.ts";

const DAY = 86_400_000;
const day = (text: string) => text as CalendarDate;
const pad = (value: number, width = 2) => String(value).padStart(width, "0");

// The Gregorian rule written out, so that nothing here leans on Date.
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengthOf = (year: number, month: number) =>
	month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/**
 * Every date of the years 1896 to 2104: past 1900, 2000 and 2100, which the leap rule treats
 * differently.
 */
const walk: CalendarDate[] = [];
for (let year = 1896; year <= 2104; year++)
	for (let month = 1; month <= 12; month++)
		for (let date = 1; date <= lengthOf(year, month); date++)
			walk.push(day(`${year}-${pad(month)}-${pad(date)}`));

const anyDate = fc.constantFrom(...walk);

describe("isCalendarDate", () => {
	it.each([
		"2026-11-21",
		"2024-02-29",
		"2000-02-29",
		"2400-02-29",
		"0001-01-01",
		"0099-12-31",
		"9999-12-31",
		"1900-02-28",
		"2026-12-31",
	])("takes %s", (text) => {
		expect(isCalendarDate(text)).toBe(true);
		expect(parseCalendarDate(text)).toBe(text);
	});

	it.each([
		"2026-02-30",
		"2026-02-29",
		"1900-02-29",
		"2100-02-29",
		"2026-04-31",
		"2026-00-10",
		"2026-13-01",
		"2026-01-00",
		"2026-01-32",
		"0000-01-01",
		"2026-2-1",
		"26-02-01",
		"2026/02/01",
		"11/21/2026",
		"20260201",
		"02026-02-01",
		"+2026-02-01",
		"-2026-02-01",
		" 2026-02-01",
		"2026-02-01 ",
		"2026-02-01\n",
		"2026-02-01T00:00:00Z",
		"２０２６-02-01",
		"now",
		"",
	])("refuses %j", (text) => {
		expect(isCalendarDate(text)).toBe(false);
		expect(() => parseCalendarDate(text)).toThrow(RangeError);
	});

	it("agrees with the written calendar on every combination of numbers", () => {
		for (const year of [1, 99, 100, 1900, 2000, 2023, 2024, 2100, 9999])
			for (let month = 0; month <= 13; month++)
				for (let date = 0; date <= 32; date++) {
					const isReal = month >= 1 && month <= 12 && date >= 1 && date <= lengthOf(year, month);
					expect(isCalendarDate(`${pad(year, 4)}-${pad(month)}-${pad(date)}`)).toBe(isReal);
				}
	});
});

describe("addDays and daysBetween", () => {
	it("step through every date of two centuries", () => {
		for (let position = 1; position < walk.length; position++) {
			const [before, after] = [walk[position - 1] as CalendarDate, walk[position] as CalendarDate];
			if (
				addDays(before, 1) !== after ||
				addDays(after, -1) !== before ||
				daysBetween(before, after) !== 1
			)
				expect.fail(`${before} and ${after} are not neighbours`);
		}
	});

	it("agree with counting one by one", () => {
		fc.assert(
			fc.property(fc.nat(walk.length - 1), fc.nat(walk.length - 1), (from, to) => {
				const [a, b] = [walk[from] as CalendarDate, walk[to] as CalendarDate];
				expect(daysBetween(a, b)).toBe(to - from);
				expect(addDays(a, to - from)).toBe(b);
			}),
			{ numRuns: 5000 },
		);
	});

	it("keep four-digit years, and throw outside them", () => {
		expect(addDays(day("0001-01-31"), 1)).toBe("0001-02-01");
		expect(addDays(day("0099-12-31"), 1)).toBe("0100-01-01");
		expect(() => addDays(day("9999-12-31"), 1)).toThrow(RangeError);
		expect(() => addDays(day("0001-01-01"), -1)).toThrow(RangeError);
		expect(() => addDays(day("2026-02-30"), 1)).toThrow(RangeError);
		expect(() => daysBetween(day("2026-02-30"), day("2026-03-01"))).toThrow(RangeError);
	});
});

describe("addMonths", () => {
	it.each([
		["2026-03-31", -1, "2026-02-28"],
		["2024-03-31", -1, "2024-02-29"],
		["2026-05-31", -3, "2026-02-28"],
		["2026-01-31", 1, "2026-02-28"],
		["2026-01-31", 2, "2026-03-31"],
		["2026-01-31", 3, "2026-04-30"],
		["2026-12-31", 2, "2027-02-28"],
		["2024-02-29", 12, "2025-02-28"],
		["2024-02-29", 48, "2028-02-29"],
		["2026-01-15", -1, "2025-12-15"],
		["2026-11-21", 0, "2026-11-21"],
		["0050-01-31", 1, "0050-02-28"],
		["0004-01-31", 1, "0004-02-29"],
	])("%s and %i months is %s", (date, months, expected) => {
		expect(addMonths(day(date), months)).toBe(expected);
	});

	it("is the same day of the wanted month, or that month's last", () => {
		fc.assert(
			fc.property(anyDate, fc.integer({ min: -600, max: 600 }), (date, months) => {
				const [year = 0, month = 0, dayOfMonth = 0] = date.split("-").map(Number);
				const count = year * 12 + (month - 1) + months;
				const [wantedYear, wantedMonth] = [Math.floor(count / 12), (count % 12) + 1];
				const wantedDay = Math.min(dayOfMonth, lengthOf(wantedYear, wantedMonth));
				expect(addMonths(date, months)).toBe(
					`${pad(wantedYear, 4)}-${pad(wantedMonth)}-${pad(wantedDay)}`,
				);
			}),
			{ numRuns: 5000 },
		);
	});
});

it("weekdayOf counts in sevens from a known Saturday", () => {
	const saturday = walk.indexOf(day("2026-11-21"));
	for (let position = 0; position < walk.length; position++)
		if (weekdayOf(walk[position] as CalendarDate) !== (((position - saturday + 6) % 7) + 7) % 7)
			expect.fail(walk[position]);
});

// The host's zone data read another way: the wall clock calculated from offsets in words
// ('GMT-03:30').
const offsetFormats = new Map<string, Intl.DateTimeFormat>();
function offsetAt(zone: string, moment: number): number {
	let format = offsetFormats.get(zone);
	if (!format) {
		format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
		offsetFormats.set(zone, format);
	}
	const text = format.format(moment);
	const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
	if (!match) throw new Error(`no offset in ${text}`);
	const minutes = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
	return (match[1] === "-" ? -1 : 1) * (minutes * 60 + Number(match[4] ?? 0)) * 1000;
}
const dateByOffset = (zone: string, moment: number) =>
	new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 10);

/**
 * The moments at which a zone's offset changes, to the second. Sampled weekly, so that a change for
 * a single Ramadan is seen.
 */
function changesOf(zone: string, from: number, to: number): number[] {
	const changes: number[] = [];
	let before = from;
	for (let after = from + 7 * DAY; after <= to; after += 7 * DAY) {
		if (offsetAt(zone, after) !== offsetAt(zone, before)) {
			let [low, high] = [before, after];
			while (high - low > 1000) {
				const middle = Math.floor((low + high) / 2000) * 1000;
				if (offsetAt(zone, middle) === offsetAt(zone, low)) low = middle;
				else high = middle;
			}
			changes.push(high);
		}
		before = after;
	}
	return changes;
}

const ZONES = Intl.supportedValuesOf("timeZone");

function checkDay(zone: string, date: CalendarDate): void {
	const start = startOfDay(zone, date);
	if (dateByOffset(zone, start) !== date)
		expect.fail(`${zone} ${date}: ${new Date(start).toISOString()} is not on that date`);
	if (dateByOffset(zone, start - 1) >= date)
		expect.fail(`${zone} ${date}: ${new Date(start).toISOString()} is not its first moment`);
	if (dateIn(zone, start) !== date || dateIn(zone, start - 1) >= date)
		expect.fail(`${zone} ${date}: dateIn does not agree`);
}

describe("dateIn and startOfDay in every zone the runtime knows", () => {
	it("agree with the zone's offsets around every change of the clock", { timeout: 120_000 }, () => {
		let changes = 0;
		for (const zone of ZONES) {
			for (const change of changesOf(zone, Date.UTC(2025, 0, 1), Date.UTC(2028, 0, 1))) {
				changes += 1;
				for (const moment of [
					change - DAY,
					change - 1,
					change,
					change + 1,
					change + 3_600_000,
					change + DAY,
				])
					if (dateIn(zone, moment) !== dateByOffset(zone, moment))
						expect.fail(`${zone} at ${new Date(moment).toISOString()}`);
				const date = parseCalendarDate(dateByOffset(zone, change));
				for (const each of [addDays(date, -1), date, addDays(date, 1)]) checkDay(zone, each);
			}
			checkDay(zone, day("2026-01-01"));
			checkDay(zone, day("2026-07-01"));
		}
		expect(ZONES.length).toBeGreaterThan(400);
		expect(changes).toBeGreaterThan(500);
	});

	it("hold for any moment and any date", { timeout: 120_000 }, () => {
		const anyMoment = fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2037, 0, 1) });
		fc.assert(
			fc.property(fc.constantFrom(...ZONES), anyMoment, (zone, moment) => {
				const date = dateIn(zone, moment);
				expect(date).toBe(dateByOffset(zone, moment));
				expect(startOfDay(zone, date)).toBeLessThanOrEqual(moment);
				expect(startOfDay(zone, addDays(date, 1))).toBeGreaterThan(moment);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		// Spring change at 01:00, and at midnight, so 00:00 does not exist.
		["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z"],
		["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
		["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
		["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
		["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"],
		["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00.000Z"],
		["Asia/Kathmandu", "2026-11-21", "2026-11-20T18:15:00.000Z"],
		["Pacific/Kiritimati", "2026-11-21", "2026-11-20T10:00:00.000Z"],
		["Pacific/Niue", "2026-11-21", "2026-11-21T11:00:00.000Z"],
		["UTC", "2026-11-21", "2026-11-21T00:00:00.000Z"],
	])("%s begins %s at %s", (zone, date, start) => {
		expect(new Date(startOfDay(zone, day(date))).toISOString()).toBe(start);
	});

	it("stay correct for more days than the cache holds", () => {
		const zone = "America/New_York";
		const first = day("1990-01-01");
		for (let each = 0; each < 6000; each++) {
			const date = addDays(first, each);
			if (dateIn(zone, startOfDay(zone, date)) !== date) expect.fail(date);
		}
		expect(startOfDay(zone, first)).toBe(Date.UTC(1990, 0, 1, 5));
	});

	it("starts a date that a zone skipped at the first moment after it", () => {
		expect(startOfDay("Pacific/Apia", day("2011-12-30"))).toBe(
			startOfDay("Pacific/Apia", day("2011-12-31")),
		);
	});

	it("refuses a zone it does not know", () => {
		expect(() => dateIn("America/Atlantis", 0)).toThrow(RangeError);
		expect(() => dateIn("", 0)).toThrow(RangeError);
	});
});

describe("how dates and times read", () => {
	it.each([
		["2026-11-21", "Nov 21, 2026", "Saturday, November 21, 2026"],
		["2024-02-29", "Feb 29, 2024", "Thursday, February 29, 2024"],
		["2026-01-01", "Jan 1, 2026", "Thursday, January 1, 2026"],
		["2026-12-31", "Dec 31, 2026", "Thursday, December 31, 2026"],
	])("%s reads %s, or %s", (date, short, long) => {
		expect(formatDate(day(date))).toBe(short);
		expect(formatLongDate(day(date))).toBe(long);
	});

	it.each([
		["UTC", "2026-11-21T00:00:00Z", "12:00 AM"],
		["UTC", "2026-11-21T00:59:59Z", "12:59 AM"],
		["UTC", "2026-11-21T01:05:00Z", "1:05 AM"],
		["UTC", "2026-11-21T11:59:59Z", "11:59 AM"],
		["UTC", "2026-11-21T12:00:00Z", "12:00 PM"],
		["UTC", "2026-11-21T14:05:00Z", "2:05 PM"],
		["UTC", "2026-11-21T23:59:59Z", "11:59 PM"],
		["America/New_York", "2026-11-21T05:00:00Z", "12:00 AM"],
		["America/New_York", "2026-07-04T16:30:00Z", "12:30 PM"],
		["Asia/Kathmandu", "2026-11-21T18:15:00Z", "12:00 AM"],
	])("in %s the moment %s is %s", (zone, moment, shown) => {
		expect(formatTime(zone, Date.parse(moment))).toBe(shown);
	});
});

describe("parts of a date", () => {
	it.each([
		["2026-11-21", "Nov 21", "November", "Saturday"],
		["2026-02-01", "Feb 1", "February", "Sunday"],
		["0099-12-31", "Dec 31", "December", "Thursday"],
	])("of %s are %s, %s and %s", (text, dayText, month, weekday) => {
		expect(formatDay(day(text))).toBe(dayText);
		expect(formatMonth(day(text))).toBe(month);
		expect(formatWeekday(day(text))).toBe(weekday);
	});
});

describe("the first date and the last", () => {
	it("are valid, and an error names the value beyond them", () => {
		expect(addDays(day("9999-12-30"), 1)).toBe("9999-12-31");
		expect(addDays(day("0001-01-02"), -1)).toBe("0001-01-01");
		expect(() => addDays(day("9999-12-31"), 1)).toThrow(/^Not a calendar date: \+01000/);
		expect(() => addDays(day("2026-02-30"), 1)).toThrow("Not a calendar date: 2026-02-30");
		expect(() => parseCalendarDate("2026-02-30")).toThrow("Not a calendar date: 2026-02-30");
	});
});
