import { describe, expect, it } from "vitest";
import { type CalendarDate, dateIn, parseCalendarDate } from "../../values/calendar-date.ts";
import { isDigestDay, isReminderTime, lastWorkingDays, quietSince } from "./rules.ts";

const day = (text: string): CalendarDate => parseCalendarDate(text);

describe("lastWorkingDays", () => {
	it.each([
		["a Thursday", "2026-11-19", "2026-11-16", "2026-11-18"],
		["a Friday", "2026-11-20", "2026-11-17", "2026-11-19"],
		["a Saturday", "2026-11-21", "2026-11-18", "2026-11-20"],
		["a Sunday", "2026-11-22", "2026-11-18", "2026-11-20"],
		["a Monday", "2026-11-23", "2026-11-18", "2026-11-20"],
		["a Tuesday", "2026-11-24", "2026-11-19", "2026-11-23"],
		["a Wednesday", "2026-11-25", "2026-11-20", "2026-11-24"],
	])("leaves out weekends, as of %s", (_, today, from, to) => {
		const [first, , last] = lastWorkingDays(day(today));
		expect([first, last]).toEqual([from, to]);
	});
});

it("a digest's day is Monday and no other", () => {
	const week = ["22", "23", "24", "25", "26", "27", "28"].map((each) => day(`2026-11-${each}`));
	expect(week.filter(isDigestDay)).toEqual([day("2026-11-23")]);
});

describe("7:00 of the fleet", () => {
	/** Mondays with UTC times of 6:59 and 7:00 there, including weeks with a clock change. */
	it.each([
		["America/New_York", "2026-03-02", "T11:59:59.999Z", "T12:00:00Z"],
		["America/New_York, the week after the clock went forward", "2026-03-09", "T10:59Z", "T11:00Z"],
		["America/New_York, the week after it went back", "2026-11-02", "T11:59Z", "T12:00Z"],
		["Europe/Berlin", "2026-03-23", "T05:59Z", "T06:00Z"],
		["Europe/Berlin, the week after the clock went forward", "2026-03-30", "T04:59Z", "T05:00Z"],
		["Europe/Berlin, the week after it went back", "2026-10-26", "T05:59Z", "T06:00Z"],
		["Pacific/Kiritimati", "2026-11-23", "T16:59Z", "T17:00Z", "2026-11-22"],
		["Pacific/Pago_Pago", "2026-11-23", "T17:59Z", "T18:00Z"],
		["Australia/Lord_Howe, half an hour forward", "2026-10-05", "T19:59Z", "T20:00Z", "2026-10-04"],
		["Asia/Kathmandu", "2026-11-23", "T01:14Z", "T01:15Z"],
	])("is when it is 7:00 in %s", (name, monday, before, at, utcDate = monday) => {
		const zone = name.replace(/,.*/, "");
		const moments = [before, at].map((time) => Date.parse(utcDate + time));
		expect(moments.map((moment) => isReminderTime(zone, moment))).toEqual([false, true]);
		for (const moment of moments) expect(dateIn(zone, moment)).toBe(monday);
		expect(isDigestDay(day(monday))).toBe(true);
	});

	it("comes once on a day whose hours are repeated or left out, and stays until midnight", () => {
		for (const [zone, date] of [
			["America/New_York", "2026-03-08"],
			["America/New_York", "2026-11-01"],
			["Europe/Berlin", "2026-03-29"],
			["Europe/Berlin", "2026-10-25"],
			// Midnight itself is skipped or repeated.
			["America/Santiago", "2026-09-06"],
			["America/Santiago", "2026-04-05"],
			["Africa/Cairo", "2026-04-24"],
		] as const) {
			const changes: string[] = [];
			let last: boolean | undefined;
			const noon = Date.parse(`${date}T12:00Z`);
			for (let moment = noon - 2 * 86_400_000; moment < noon + 2 * 86_400_000; moment += 60_000) {
				if (dateIn(zone, moment) !== date) continue;
				const is = isReminderTime(zone, moment);
				if (is !== last) changes.push(String(is));
				last = is;
			}
			expect(changes, `${zone} ${date}`).toEqual(["false", "true"]);
		}
	});
});

describe("quietSince", () => {
	it("starts at midnight six dates before today, across clock changes", () => {
		expect(quietSince("America/New_York", day("2026-11-04"))).toBe(Date.parse("2026-10-29T04:00Z"));
		expect(quietSince("America/New_York", day("2026-11-23"))).toBe(Date.parse("2026-11-17T05:00Z"));
	});
});
