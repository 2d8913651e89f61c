/** The order of the history, and its URL parameters. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type CalendarDate, startOfDay } from "../../values/calendar-date.ts";
import { describeItem, mergeHistory, paymentOf } from "./rules.ts";
import { formatSearch, type HistorySearch, parseSearch } from "./search.ts";

const ZONE = "America/New_York";
const TODAY = "2026-11-21" as CalendarDate;
const ID = "30000000-0000-4000-8000-000000000001";
const viewOf = (query: string) => parseSearch(new URLSearchParams(query), TODAY, ZONE);

describe("a URL's search", () => {
	it.each([
		["", "month", "all", "2026-10-23"],
		["range=week&type=mileage", "week", "mileage", "2026-11-15"],
		["range=quarter&type=requests", "quarter", "requests", "2026-08-24"],
		["range=Week&type=gas", "month", "all", "2026-10-23"],
		["range=custom&type=&after=", "month", "all", "2026-10-23"],
		["range=toString&type=__proto__", "month", "all", "2026-10-23"],
	])("'%s' is %s, %s, from %s", (query, range, type, from) => {
		expect(viewOf(query)).toEqual({
			range,
			type,
			period: { from, to: TODAY },
			position: undefined,
		});
	});

	const [first, end] = [
		startOfDay(ZONE, "2026-11-15" as CalendarDate),
		startOfDay(ZONE, "2026-11-22" as CalendarDate),
	];
	it.each([
		`request_${first}_${ID}`,
		`request_${end - 1}_${ID}`,
		`mileage_2026-11-15_45000_1700000000000_${ID}`,
		`mileage_2026-11-21_9999999_1700000000000_${ID}`,
	])("continues after %s, and keeps that in its links", (after) => {
		const view = viewOf(`range=week&after=${after}`);
		expect(view.position).toMatchObject({ way: "after", cursor: { id: ID } });
		expect(formatSearch(view)).toBe(`?range=week&after=${after}`);
		expect(formatSearch(viewOf(`range=week&before=${after}`))).toBe(`?range=week&before=${after}`);
	});

	it.each([
		`request_${first - 1}_${ID}`,
		`request_${end}_${ID}`,
		`request_999999999999999_${ID}`,
		"request_1_x",
		`mileage_2026-11-14_45000_1700000000000_${ID}`,
		`mileage_2026-11-22_45000_1700000000000_${ID}`,
		`mileage_2026-11-31_45000_1700000000000_${ID}`,
		`mileage_0001-01-01_45000_1700000000000_${ID}`,
		`mileage_2026-11-20_12345678_1700000000000_${ID}`,
		`mileage_2026-11-20_45000_1700000000000_${ID}'`,
		`mileage_2026-11-20_45000_${ID}`,
		"nonsense",
	])("ignores the cursor %s", (after) => {
		expect(viewOf(`range=week&after=${after}`).position).toBeUndefined();
	});

	it("has the shortest possible query", () => {
		const view = { range: "month", type: "all", position: undefined } satisfies Omit<
			HistorySearch,
			"period"
		>;
		expect(formatSearch(view)).toBe("");
		expect(formatSearch({ ...view, type: "requests" })).toBe("?type=requests");
	});
});

describe("the merged list", () => {
	const request = (createdAt: number, id = ID) =>
		({
			id,
			createdAt,
			type: "gas",
			amountCents: 100,
			approvedAmountCents: null,
			status: "pending",
			question: null,
			spentOn: null,
			payout: null,
		}) as const;
	const log = (drivenOn: string, endMiles: number) => ({
		id: `log-${endMiles}`,
		drivenOn: drivenOn as CalendarDate,
		endMiles,
		createdAt: 1,
		miles: 10,
		purpose: null,
		personalMiles: null,
		voidedAt: null,
	});

	it("says of each trip whether it was voided, and why", () => {
		const voided = { ...log("2026-11-20", 20), voidedAt: 2, reason: "Wrong van" };
		const common = { kind: "mileage", date: "2026-11-20", createdAt: 1, miles: 10 };
		expect(mergeHistory([], [voided, log("2026-11-20", 10)], ZONE, 5)).toMatchObject([
			{ ...common, id: "log-20", endMiles: 20, isVoided: true, reason: "Wrong van" },
			{ ...common, id: "log-10", endMiles: 10, isVoided: false },
		]);
	});

	it("has the requests of a date before its trips, by the date in the fleet's zone", () => {
		const midnight = startOfDay(ZONE, "2026-11-20" as CalendarDate);
		const items = mergeHistory(
			[request(midnight, "on"), request(midnight - 1, "before")],
			[log("2026-11-20", 2), log("2026-11-19", 1)],
			ZONE,
			10,
		);
		expect(items.map(({ id, date }) => `${id} ${date}`)).toEqual([
			"on 2026-11-20",
			"log-2 2026-11-20",
			"before 2026-11-19",
			"log-1 2026-11-19",
		]);
	});

	it("has every item once, newest first", () => {
		const days = fc.integer({ min: 0, max: 40 }).map((back) => addDays(TODAY, -back));
		const requests = fc.array(
			fc.integer({ min: Date.UTC(2026, 9, 20), max: Date.UTC(2026, 10, 21) }),
			{ maxLength: 30 },
		);
		fc.assert(
			fc.property(
				requests,
				fc.array(days, { maxLength: 30 }),
				fc.integer({ min: 0, max: 70 }),
				(moments, dates, limit) => {
					const asked = moments
						.toSorted((a, b) => b - a)
						.map((at, position) => request(at, `request-${position}`));
					const logs = dates
						.toSorted()
						.reverse()
						.map((date, position) => log(date, 100 - position));
					const items = mergeHistory(asked, logs, ZONE, limit);
					expect(items).toHaveLength(Math.min(limit, asked.length + logs.length));
					expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
					for (const [position, item] of items.entries()) {
						const before = items[position - 1];
						if (!before) continue;
						expect(before.date >= item.date).toBe(true);
						if (before.date === item.date)
							expect([before.kind, item.kind]).not.toEqual(["mileage", "request"]);
					}
					const all = mergeHistory(asked, logs, ZONE, 100);
					expect(all.slice(0, items.length)).toEqual(items);
					const backwards = mergeHistory(asked.toReversed(), logs.toReversed(), ZONE, limit, true);
					expect(backwards).toEqual(all.toReversed().slice(0, limit));
				},
			),
		);
	});
});

it.each(["pending", "approved", "rejected", "withdrawn"] as const)(
	"describes a %s request",
	(status) => {
		const item = {
			kind: "request",
			id: ID,
			date: TODAY,
			createdAt: 1,
			type: "maintenance",
			amountCents: 1,
			approvedAmountCents: null,
			status,
			question: null,
			spentOn: null,
			payout: null,
		} as const;
		expect(describeItem(item)).toMatchObject({
			type: "Fund Request",
			description: "maintenance request",
			status: status[0]?.toUpperCase() + status.slice(1),
		});
	},
);

it.each([
	[false, "Logged", "info"],
	[true, "Voided", "quiet"],
])("describes a trip, voided: %s", (isVoided, status, tone) => {
	const item = {
		kind: "mileage",
		id: ID,
		date: TODAY,
		drivenOn: TODAY,
		endMiles: 1,
		createdAt: 1,
		miles: 1,
		purpose: null,
		personalMiles: null,
		voidedAt: isVoided ? 1 : null,
		isVoided,
	} as const;
	expect(describeItem(item)).toEqual({
		type: "Mileage Log",
		description: "Daily route logging",
		status,
		tone,
	});
});

it("says that a single request was paid", () => {
	const common = { id: ID, date: TODAY, createdAt: 1 } as const;
	const about = { type: "gas", amountCents: 1, question: null, spentOn: null } as const;
	const request = { kind: "request", status: "approved", ...about } as const;
	const payout = { id: ID, number: 12, status: "paid", paidOn: TODAY } as const;
	const said = { purpose: null, personalMiles: null };
	const trip = { drivenOn: TODAY, endMiles: 1, miles: 1, voidedAt: null, ...said };
	const mileage = { kind: "mileage", isVoided: false, ...trip } as const;
	expect(paymentOf({ ...common, ...request, approvedAmountCents: 1, payout }, TODAY)).toBe(
		"Paid Nov 21 · PO-000012",
	);
	expect(paymentOf({ ...common, ...mileage }, TODAY)).toBeUndefined();
});
