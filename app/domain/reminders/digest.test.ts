import { describe, expect, it } from "vitest";
import { parseCalendarDate } from "../../values/calendar-date.ts";
import { ZERO_TOTALS } from "../analytics/rules.ts";
import { type DigestFigures, digestText } from "./digest.ts";

const ORIGIN = "https://fleet.example";
const figures = (more: Partial<DigestFigures> = {}): DigestFigures => ({
	pendingRequests: 0,
	pendingCents: 0,
	oldestOn: undefined,
	period: { from: parseCalendarDate("2026-11-15"), to: parseCalendarDate("2026-11-21") },
	week: ZERO_TOTALS,
	flaggedTrips: 0,
	possibleDuplicates: 0,
	...more,
});
const week = {
	...ZERO_TOTALS,
	miles: 12_340,
	trips: 7,
	fuelCents: 123_450,
	fuelRequests: 3,
	commissionCents: 1_420,
	commissionFees: 1,
	otherFeeCents: 80,
	otherFeeFees: 1,
};

describe("digestText", () => {
	it("says nothing when nothing is pending and nothing happened", () => {
		expect(digestText(figures(), ORIGIN)).toBeUndefined();
	});

	it("says what is pending, what last week cost, and what to look at", () => {
		const words = digestText(
			figures({
				pendingRequests: 12,
				pendingCents: 103_565,
				oldestOn: parseCalendarDate("2026-11-09"),
				week,
				flaggedTrips: 1,
				possibleDuplicates: 2,
			}),
			ORIGIN,
		);
		expect(words?.subject).toBe("Your week: 12 requests waiting");
		expect(
			words?.body,
		).toBe(`12 requests awaiting a decision, $1,035.65 total. The oldest came in on Nov 9, 2026.
https://fleet.example/fund-requests?status=pending

Last week, Nov 15 to Nov 21, 2026:
Miles: 12,340
Fuel: $1,234.50
Uber fees: $15.00

To look at:
1 flagged trip: https://fleet.example/mileage-reports?range=custom&startDate=2026-11-15&endDate=2026-11-21#entries
2 possible duplicate requests: https://fleet.example/fund-requests?status=pending&flag=duplicate

You get this email on Mondays. Turn it off: https://fleet.example/account`);
	});

	it("says that nothing is pending when something happened", () => {
		const words = digestText(figures({ week }), ORIGIN);
		expect(words?.subject).toBe("Your week: nothing is waiting");
		expect(words?.body).toMatch(/^No requests are waiting\.\n\nLast week/);
		expect(words?.body).not.toContain("To look at");
	});

	it("says what is pending after a week in which nothing else happened", () => {
		const words = digestText(figures({ pendingRequests: 1, pendingCents: 500 }), ORIGIN);
		expect(words?.subject).toBe("Your week: 1 request waiting");
		expect(words?.body).toContain("Miles: 0\nFuel: $0.00");
	});

	it("does not count flags past a hundred", () => {
		const { body } = digestText(figures({ week, flaggedTrips: 101 }), ORIGIN) ?? { body: "" };
		expect(body).toContain("More than 100 flagged trips: ");
	});
});
