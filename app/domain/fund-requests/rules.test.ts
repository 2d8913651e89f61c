/** A request's words, amount and number, and how long a decision can be undone. */
import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { QUESTION_LABELS } from "../messages/rules.ts";
import {
	askedNote,
	COMMON_REQUESTS,
	describeRequest,
	effectiveAmount,
	isLateRequest,
	isUndoable,
	rejectionNote,
	requestNumber,
	requestPath,
	SHORT_TYPE_LABELS,
	TYPE_LABELS,
} from "./rules.ts";

it("has a type, which administrators read in fewer words than drivers", () => {
	expect(Object.values(TYPE_LABELS)).toEqual(["Gas/Fuel", "Vehicle Maintenance", "Other"]);
	expect(Object.values(SHORT_TYPE_LABELS)).toEqual(["Gas/Fuel", "Maintenance", "Other"]);
	expect(Object.values(QUESTION_LABELS)).toEqual(["Question", "Answered"]);
});

it("is most often one of six", () => {
	expect(COMMON_REQUESTS.map(({ type, description }) => `${type}: ${description}`)).toEqual([
		"gas: Gas",
		"maintenance: Oil change",
		"maintenance: Tires",
		"other: Car wash",
		"other: Parking",
		"other: Tolls",
	]);
});

describe("a request's amount", () => {
	it.each([
		["nothing decided", null, 4210, undefined],
		["approved as asked", 4210, 4210, undefined],
		["approved for less", 4000, 4000, "asked $42.10"],
	])("with %s", (_, approvedAmountCents, amount, note) => {
		const amounts = { amountCents: 4210, approvedAmountCents };
		expect([effectiveAmount(amounts), askedNote(amounts)]).toEqual([amount, note]);
	});
});

it.each([
	["2026-09-22", false],
	["2026-09-21", true],
	["2025-11-21", true],
	[null, false],
])("asked on Nov 21 for what was spent on %s is late: %s", (day, isLate) => {
	const requestedOn = parseCalendarDate("2026-11-21");
	const spentOn = day === null ? null : parseCalendarDate(day);
	expect(isLateRequest({ requestedOn, spentOn })).toBe(isLate);
});

it.each([
	["Duplicate", "See FR-000003", "Duplicate. See FR-000003"],
	["Duplicate", undefined, "Duplicate"],
	[undefined, "See FR-000003", "See FR-000003"],
	["Duplicate", "", "Duplicate"],
	[undefined, undefined, undefined],
])("rejected for %j with the note %j, the driver reads %j", (reason, note, read) => {
	expect(rejectionNote(reason, note)).toBe(read);
});

it.each([
	[1, "FR-000001"],
	[999_999, "FR-999999"],
	[1_000_000, "FR-1000000"],
])("calls request %i %s, and links to it", (number, name) => {
	expect(requestNumber(number)).toBe(name);
	expect(requestPath(number)).toBe(`/fund-requests?open=${name}`);
});

it.each([
	["2026-11-21", "FR-000123, 2:02 PM"],
	["2026-11-22", "FR-000123, Nov 21, 2026, 2:02 PM"],
])("describes a request on %s as %s", (today, words) => {
	const request = { number: 123, createdAt: Date.UTC(2026, 10, 21, 19, 2) };
	const fleet = { timeZone: "America/New_York", today: parseCalendarDate(today) };
	expect(describeRequest(request, fleet)).toBe(words);
});

describe("a decision", () => {
	const decidedAt = Date.UTC(2026, 10, 21, 12);
	it.each([
		["by its administrator at once", "ada", decidedAt, 0, true],
		["within ten minutes", "ada", decidedAt, UNDO_WINDOW_MS - 1, true],
		["after ten minutes", "ada", decidedAt, UNDO_WINDOW_MS, false],
		["by somebody else", "amir", decidedAt, 0, false],
		["that was never made", null, null, 0, false],
		["of an unknown time", "ada", null, 0, false],
	])("can be undone %s", (_, decidedBy, at, later, isOpen) => {
		expect(isUndoable({ decidedBy, decidedAt: at }, "ada", decidedAt + later)).toBe(isOpen);
	});
});
