/** A payout's number and status, how long it can be reopened without a notice, and what its requests say. */
import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { describePayment, payoutNumber } from "../fund-requests/payment.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { countParts, describeOwed, isUndoable, type PayoutTotals, STATUS_LABELS } from "./rules.ts";

it.each([
	[1, "PO-000001"],
	[999_999, "PO-999999"],
	[1_000_000, "PO-1000000"],
])("calls payout %i %s", (number, name) => {
	expect(payoutNumber(number)).toBe(name);
});

it.each([
	[3, 0, "3 requests"],
	[0, 1, "1 settlement"],
	[1, 2, "1 request and 2 settlements"],
	[0, 0, "0 requests"],
])("counts %i requests and %i settlements as %s", (requests, settlements, words) => {
	expect(countParts({ requests, settlements })).toBe(words);
});

it("owes a driver what is in no payout or an open one, requests and settlements", () => {
	const nothing = { Cents: 0, Requests: 0, SettledCents: 0, Settlements: 0 };
	const totals = Object.fromEntries(
		["ready", "open", "paid"].flatMap((where) =>
			Object.entries(nothing).map(([what, none]) => [`${where}${what}`, none]),
		),
	) as PayoutTotals;
	expect(describeOwed(undefined)).toBeUndefined();
	expect(describeOwed({ ...totals, paidCents: 500, paidRequests: 1 })).toBeUndefined();
	const owed = { ...totals, readyCents: 1250, readyRequests: 1, openSettledCents: 4200 };
	expect(describeOwed({ ...owed, openSettlements: 1 })).toBe(
		"$54.50 in 1 request and 1 settlement",
	);
});

it("is open, paid or canceled", () => {
	expect(STATUS_LABELS).toEqual({ open: "Open", paid: "Paid", cancelled: "Canceled" });
});

describe("a payout marked paid", () => {
	const paidAt = Date.UTC(2026, 10, 23, 12);
	it.each([
		["by whoever paid, at once", "ada", paidAt, 0, true],
		["within ten minutes", "ada", paidAt, UNDO_WINDOW_MS - 1, true],
		["after ten minutes", "ada", paidAt, UNDO_WINDOW_MS, false],
		["by somebody else", "amir", paidAt, 0, false],
		["when it isn't paid", null, null, 0, false],
		["when its time is unknown", "ada", null, 0, false],
	])("can be undone %s", (_, paidBy, at, later, isOpen) => {
		expect(isUndoable({ paidBy, paidAt: at }, "ada", paidAt + later)).toBe(isOpen);
	});
});

describe("what a request says of its payout", () => {
	const payout = { id: "p", number: 12, paidOn: parseCalendarDate("2026-11-24") } as const;
	it.each([
		["nothing in none", null, "2026-11-25", undefined],
		["nothing in an open one", { ...payout, status: "open" as const }, "2026-11-25", undefined],
		[
			"nothing in one without a day",
			{ ...payout, status: "paid" as const, paidOn: null },
			"2026-11-25",
			undefined,
		],
		["the day", { ...payout, status: "paid" as const }, "2026-12-31", "Paid Nov 24 · PO-000012"],
		[
			"the year as well, once it is over",
			{ ...payout, status: "paid" as const },
			"2027-01-01",
			"Paid Nov 24, 2026 · PO-000012",
		],
	])("is %s", (_, row, today, words) => {
		expect(describePayment(row, parseCalendarDate(today))).toBe(words);
	});
});
