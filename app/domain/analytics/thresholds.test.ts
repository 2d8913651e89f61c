/** Every threshold of docs/product.md §2, §4 and §9, on both sides, by the rounded figure. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../kernel/fleet-settings.ts";
import {
	buildAlerts,
	categoryFees,
	efficiencyLabel,
	feeCents,
	feeCount,
	formatRatio,
	getTier,
	requestCents,
	requestCount,
	spendShares,
	ZERO_TOTALS,
} from "./rules.ts";

describe("the overview's label and the tier of a driver", () => {
	it.each([
		[0, 1, "Efficient", "Excellent"],
		[84, 1, "Efficient", "Excellent"],
		// 0.844 and 0.8449 round down, 0.845 rounds up to 0.85.
		[844, 10, "Efficient", "Excellent"],
		[8449, 100, "Efficient", "Excellent"],
		[845, 10, "Efficient", "Good"],
		[85, 1, "Efficient", "Good"],
		[99, 1, "Efficient", "Good"],
		// 0.9949 rounds down, 0.995 rounds up to 1.00.
		[9949, 100, "Efficient", "Good"],
		[995, 10, "Average", "Needs Improvement"],
		[100, 1, "Average", "Needs Improvement"],
		[101, 1, "Average", "Needs Improvement"],
		[0, 0, "No miles", undefined],
		[5000, 0, "No miles", undefined],
	] as const)("%i cents over %i miles: %s, %s", (fuelCents, miles, label, tier) => {
		expect(efficiencyLabel({ fuelCents, miles }, DEFAULT_SETTINGS)).toBe(label);
		expect(getTier({ fuelCents, miles }, DEFAULT_SETTINGS)).toBe(tier);
	});
});

describe("other thresholds", () => {
	const own = {
		...DEFAULT_SETTINGS,
		excellentUnderCents: 60,
		goodUnderCents: 61,
		targetCents: 40,
		fuelTargetPercent: 55,
		pendingAlertOver: 0,
		feeAlertOverCents: 0,
	};

	it.each([
		[59, "Efficient", "Excellent"],
		[60, "Efficient", "Good"],
		[61, "Average", "Needs Improvement"],
	] as const)("%i cents a mile: %s, %s", (fuelCents, label, tier) => {
		expect(efficiencyLabel({ fuelCents, miles: 1 }, own)).toBe(label);
		expect(getTier({ fuelCents, miles: 1 }, own)).toBe(tier);
	});

	it("raise alerts over nothing at all, and name the ratio", () => {
		expect(buildAlerts(1, 1, own)).toMatchObject([
			{ kind: "pending", title: "Pending requests" },
			{ kind: "fees", title: "Uber fees" },
		]);
		expect(buildAlerts(0, 0, own).map(({ kind }) => kind)).toEqual(["none"]);
		expect([formatRatio(own), formatRatio(DEFAULT_SETTINGS)]).toEqual(["55:45", "70:30"]);
	});
});

describe("the shares of the week's spend", () => {
	it.each([
		[0, 0, 0, 0],
		[1, 0, 100, 0],
		[0, 1, 0, 100],
		[7000, 3000, 70, 30],
		[1, 2, 33, 67],
		[2, 1, 67, 33],
		// Half a percent goes to fuel.
		[1, 199, 1, 99],
		[199, 1, 100, 0],
		[1, 200, 0, 100],
	])("%i cents of fuel and %i of fees: %i and %i percent", (fuelCents, feeCents, fuel, fees) => {
		expect(spendShares(fuelCents, feeCents)).toEqual({ fuel, fees });
	});

	it("always add up to 100, and are less than one percent off", () => {
		const cents = fc.integer({ min: 0, max: 1_000_000_000 });
		fc.assert(
			fc.property(cents, cents, (fuelCents, feeCents) => {
				fc.pre(fuelCents + feeCents > 0);
				const { fuel, fees } = spendShares(fuelCents, feeCents);
				expect(fuel + fees).toBe(100);
				expect(Math.abs(fuel - (100 * fuelCents) / (fuelCents + feeCents))).toBeLessThanOrEqual(
					0.5,
				);
			}),
		);
	});
});

describe("System Status", () => {
	const pending = (count: number) =>
		`${count} fund requests pending approval. Average processing time should be under 2 days.`;
	const fees = (amount: string) =>
		`Total Uber fees of ${amount} are above typical range. Review fee management.`;
	const calm = "No alerts at this time";

	it.each([
		[0, 0, [calm]],
		[0, 150_000, [calm]],
		[0, 150_001, [fees("$1,500.01")]],
		[1, 0, []],
		[5, 150_000, []],
		[6, 0, [pending(6)]],
		[6, 150_000, [pending(6)]],
		[5, 150_001, [fees("$1,500.01")]],
		[1200, 12_345_678, [pending(1200), fees("$123,456.78")]],
	])("has %i pending requests and %i cents of fees", (count, cents, texts) => {
		const alerts = buildAlerts(count, cents, DEFAULT_SETTINGS);
		expect(alerts.map(({ text }) => text)).toEqual(texts);
		if (texts[0] === calm)
			expect(alerts).toEqual([{ kind: "none", title: "All systems running normally", text: calm }]);
	});
});

describe("the sums of a window", () => {
	// Powers of two: a sum shows which of them are included.
	const totals = {
		...ZERO_TOTALS,
		...{ fuelCents: 1, maintenanceCents: 2, otherCents: 4, pendingCents: 8 },
		...{ fuelRequests: 1, maintenanceRequests: 2, otherRequests: 4, pendingRequests: 8 },
		...{ commissionCents: 16, serviceFeeCents: 32, bookingFeeCents: 64, otherFeeCents: 128 },
		...{ commissionFees: 1, serviceFeeFees: 2, bookingFeeFees: 4, otherFeeFees: 8 },
	};

	it("include approved requests in the cost, and count pending ones too", () => {
		expect([requestCents(totals), requestCount(totals)]).toEqual([7, 15]);
	});

	it("are all zero where nothing happened", () => {
		const sums = [requestCents, requestCount, feeCents, feeCount].map((sum) => sum(ZERO_TOTALS));
		expect(sums).toEqual([0, 0, 0, 0]);
	});

	it("include all four categories of fees, each also separately", () => {
		expect([feeCents(totals), feeCount(totals)]).toEqual([240, 15]);
		const one = (category: Parameters<typeof categoryFees>[1]) => categoryFees(totals, category);
		expect([one("commission"), one("service_fee"), one("booking_fee"), one("other")]).toEqual([
			{ cents: 16, entries: 1 },
			{ cents: 32, entries: 2 },
			{ cents: 64, entries: 4 },
			{ cents: 128, entries: 8 },
		]);
	});
});
