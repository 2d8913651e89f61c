/** A trip's flags in words, and how long its driver can edit it. */
import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { DRIVER_VOID_WINDOW_MS } from "../kernel/time-limits.ts";
import {
	type Check,
	canDriverEdit,
	describeBeside,
	describeTrip,
	flagLabels,
	formatQuestion,
	personalNote,
} from "./rules.ts";

it.each<[Check, string]>([
	[{ kind: "overlap" }, "These readings overlap a trip you've already logged."],
	[
		{ kind: "below-last", lastEnding: 45_285 },
		"The starting odometer is below your last ending reading, 45,285.",
	],
	[
		{ kind: "above-next", startAfter: 45_300, on: parseCalendarDate("2026-11-17") },
		"The ending odometer is above the start of your trip on Nov 17, 2026, 45,300.",
	],
	[{ kind: "long", miles: 1200 }, "1,200 miles is unusually long for one trip."],
])("asks about %j", (check, question) => {
	expect(formatQuestion(check)).toBe(question);
});

describe("the trips around a date", () => {
	const trip = (day: string, startMiles: number, endMiles: number) => ({
		drivenOn: parseCalendarDate(`2026-11-${day}`),
		startMiles,
		endMiles,
	});
	const none = { before: undefined, firstOfDay: undefined, lastOfDay: undefined, after: undefined };
	const before = trip("15", 1000, 1100);
	const after = trip("17", 1300, 1400);
	const own = trip("16", 1100, 1200);
	const last = trip("16", 1200, 1250);

	it.each([
		[none, "Check your vehicle's odometer."],
		[{ ...none, before }, "After your entry of Nov 15, 2026 (1,000 to 1,100)."],
		[
			{ ...none, before, after },
			"Between your entries of Nov 15, 2026 (1,000 to 1,100) and Nov 17, 2026 (1,300 to 1,400): at most 200 miles.",
		],
		[{ ...none, after }, "Before your entry of Nov 17, 2026 (1,300 to 1,400)."],
		[
			{ before, after, firstOfDay: own, lastOfDay: last },
			"Between your entries of Nov 15, 2026 (1,000 to 1,100) and Nov 17, 2026 (1,300 to 1,400). Already logged for this date: 1,100 to 1,250.",
		],
		[{ ...none, firstOfDay: own, lastOfDay: own }, "Already logged for this date: 1,100 to 1,200."],
	])("are named (%#)", (beside, words) => {
		expect(describeBeside(beside)).toBe(words);
	});
});

describe("the flags of a trip", () => {
	const plain = {
		gapMiles: null,
		isOverlap: false,
		isOutOfOrder: false,
		isLong: false,
		voidedAt: null,
	};
	it.each([
		[{}, []],
		[{ gapMiles: 1200 }, ["Gap of 1,200 mi"]],
		[{ isOverlap: true }, ["Overlap"]],
		[{ isOutOfOrder: true }, ["Out of order"]],
		// An overlap is also out of order; only one flag is shown.
		[{ isOverlap: true, isOutOfOrder: true }, ["Overlap"]],
		[{ gapMiles: 0, isOverlap: true, isLong: true }, ["Gap of 0 mi", "Overlap", "Long trip"]],
		[{ gapMiles: 12, isOverlap: true, voidedAt: 1 }, []],
	])("%j are named %j", (flags, labels) => {
		expect(flagLabels({ ...plain, ...flags })).toEqual(labels);
	});
});

describe("a driver's own entry", () => {
	const createdAt = Date.UTC(2026, 10, 21, 12);
	it.each([
		["at once", null, 0, true],
		["within seven days", null, DRIVER_VOID_WINDOW_MS - 1, true],
		["after seven days", null, DRIVER_VOID_WINDOW_MS, false],
		["once it is void", createdAt, 0, false],
	])("can be edited %s", (_, voidedAt, later, isOpen) => {
		expect(canDriverEdit({ createdAt, voidedAt }, createdAt + later)).toBe(isOpen);
	});
});

it("describes a trip by its date, miles and submission time", () => {
	const drivenOn = parseCalendarDate("2026-11-20");
	const log = { drivenOn, miles: 1075, createdAt: Date.UTC(2026, 10, 21, 19, 2) };
	const timeZone = "America/New_York";
	const on = (today: string) => describeTrip(log, { timeZone, today: parseCalendarDate(today) });
	expect(on("2026-11-21")).toBe("Nov 20, 2026, 1,075 miles, 2:02 PM");
	expect(on("2026-11-22")).toBe("Nov 20, 2026, 1,075 miles, Nov 21, 2026, 2:02 PM");
});

it("says how many miles were personal, if any were", () => {
	expect([12, 0, null].map(personalNote)).toEqual(["12 miles personal", undefined, undefined]);
});
