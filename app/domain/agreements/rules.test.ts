/** The agreement that applies to a week, its sentence, and how a week adds up under it. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { agreementOf } from "../../../tests/support/agreements.ts";
import { DEFAULT_UNITS, setFleetUnits } from "../../values/fleet-units.ts";
import { NO_MONEY } from "../statements/money.ts";
import type { NewAgreement } from "./input.ts";
import { milesCents, moneyLines, partOf, weekLines } from "./lines.ts";
import { termsOf } from "./record.ts";
import { agreementFor, formatMills, formatPercent } from "./rules.ts";
import { describeAgreement, workExample } from "./sentence.ts";

const terms = (more: Partial<NewAgreement> = {}) =>
	termsOf(agreementOf("dana", { weeklyRent: 0, ...more }));

describe("the agreement that applies to a week", () => {
	const one = (startsOn: string, number: number) => ({ startsOn: startsOn as never, number });

	it("starts last by the week's first day, and was made last of those that start then", () => {
		const all = [one("2026-11-02", 1), one("2026-11-16", 2), one("2026-11-02", 3)];
		expect(agreementFor(all, "2026-10-26")).toBeUndefined();
		expect(agreementFor(all, "2026-11-02")).toBe(all[2]);
		expect(agreementFor(all, "2026-11-09")).toBe(all[2]);
		expect(agreementFor(all, "2026-11-16")).toBe(all[1]);
		expect(agreementFor(all, "2027-11-16")).toBe(all[1]);
		expect(agreementFor([], "2026-11-16")).toBeUndefined();
		expect(agreementFor(all.toReversed(), "2026-11-09")).toBe(all[2]);
	});
});

afterEach(() => setFleetUnits(DEFAULT_UNITS));

it("has a rate in cents, or in money where they have another name", () => {
	expect([10, 725].map(formatMills)).toEqual(["1 cent", "72.5 cents"]);
	setFleetUnits({ ...DEFAULT_UNITS, currency: "PLN" });
	expect([720, 725].map(formatMills)).toEqual(["PLN\u00a00.72", "PLN\u00a00.725"]);
});

describe("the sentence", () => {
	it.each<[Partial<NewAgreement>, string]>([
		[
			{ weeklyRent: 12_000 },
			"Dana keeps 60% of fares after the platform's fees, all tips and promotions and all tolls, less $120.00 rent a week.",
		],
		[
			{ faresPercent: 10_000, tollsTo: "fleet", fleetPercent: 750, weeklyFee: 2500 },
			"Dana keeps all fares after the platform's fees and all tips and promotions, less a fee of $25.00 a week and 7.5% of their fares for the fleet; the fleet keeps tolls.",
		],
		[
			{ base: "gross", tipsPercent: 5000, promotionsPercent: 0, perMileMills: 725 },
			"Dana keeps 60% of fares before the platform's fees, 50% of tips and all tolls, plus 72.5 cents a business mile; the fleet keeps promotions.",
		],
		[
			{
				faresPercent: 0,
				tipsPercent: 0,
				promotionsPercent: 0,
				tollsTo: "fleet",
				perMileMills: 550,
				thresholdMiles: 10_000,
				thereafterMills: 250,
				taxYearStart: "04-06",
			},
			"Dana keeps nothing of what the platforms pay, plus 55 cents a business mile up to 10,000 miles a tax year from April 6 and 25 cents beyond; the fleet keeps fares, tips and promotions and tolls.",
		],
	])("of %j", (more, sentence) => {
		expect(describeAgreement("Dana", terms(more))).toBe(sentence);
	});

	it("writes percents and rates as people do", () => {
		expect([0, 50, 1250, 3333, 10_000].map(formatPercent)).toEqual([
			"0%",
			"0.5%",
			"12.5%",
			"33.33%",
			"100%",
		]);
		expect([10, 725, 550, 5].map(formatMills)).toEqual([
			"1 cent",
			"72.5 cents",
			"55 cents",
			"0.5 cents",
		]);
	});
});

describe("a week", () => {
	it("has one line for each term, in a worked example too", () => {
		const example = workExample(
			terms({ weeklyRent: 12_000, weeklyFee: 2000, fleetPercent: 1000, perMileMills: 725 }),
		);
		expect(example.week).toBe(
			"A week with $1,000.00 in fares, $250.00 in platform fees, $60.00 in tips, $40.00 in promotions, $20.00 in tolls, $180.00 cash collected and 500 business miles",
		);
		expect(example.lines.map(({ kind, text, cents }) => [kind, text, cents])).toEqual([
			["fares", "Fares after fees: 60% of $750.00", 45_000],
			["tips", "Tips: 100% of $60.00", 6000],
			["promotions", "Promotions: 100% of $40.00", 4000],
			["tolls", "Tolls", 2000],
			["miles", "500 miles at 72.5 cents", 36_250],
			["cash", "Cash collected", -18_000],
			["rent", "Weekly rent", -12_000],
			["fee", "For the fleet: 10% of $450.00", -4500],
			["fee", "Weekly fee", -2000],
		]);
		expect(example.result).toBe(56_750);
	});

	it("has its miles in the example if they pay anything, be it only beyond a threshold", () => {
		const beyond = { thresholdMiles: 100, thereafterMills: 250, taxYearStart: "01-01" } as const;
		const { week, lines } = workExample(terms(beyond));
		expect(week).toContain("500 business miles");
		expect(lines).toContainEqual(expect.objectContaining({ kind: "miles", cents: 10_000 }));
	});

	it("takes fees, their taxes and third parties off net fares, and nothing off gross ones", () => {
		const money = {
			...NO_MONEY,
			...{ fare: 10_000, fee: -2500, tax: -300, third_party: -200, other_earning: 100 },
			...{ toll: 450, transfer: -1000 },
		};
		const sums = (more: Partial<NewAgreement>) =>
			moneyLines(terms(more), money).map(({ kind, cents }) => [kind, cents]);
		expect(sums({})).toEqual([
			["fares", 4200],
			["promotions", 100],
			["tolls", 450],
			["transfers", -1000],
		]);
		expect(sums({ base: "gross", tollsTo: "fleet" })).toEqual([
			["fares", 6000],
			["promotions", 100],
			["transfers", -1000],
		]);
		expect(weekLines(terms(), [{ miles: 500, before: 0 }])).toEqual([]);
	});

	it("pays miles by the threshold of the tax year, rounded half up once", () => {
		const rates = { perMileMills: 550, thresholdMiles: 10_000, thereafterMills: 250 };
		expect(milesCents(rates, [{ miles: 100, before: 0 }])).toBe(5500);
		expect(milesCents(rates, [{ miles: 100, before: 9950 }])).toBe(50 * 55 + 50 * 25);
		expect(milesCents(rates, [{ miles: 100, before: 20_000 }])).toBe(2500);
		const irs = { perMileMills: 725, thresholdMiles: null, thereafterMills: null };
		expect(milesCents(irs, [{ miles: 1, before: 0 }])).toBe(73);
		expect(milesCents(irs, [{ miles: 2, before: 0 }])).toBe(145);
	});

	it("rounds half up, also below zero", () => {
		expect([partOf(1, 5000), partOf(-1, 5000), partOf(3, 5000), partOf(-3, 5000)]).toEqual([
			1, 0, 2, -1,
		]);
		fc.assert(
			fc.property(
				fc.integer({ min: -1e9, max: 1e9 }),
				fc.integer({ min: 0, max: 10_000 }),
				(cents, points) => {
					const exact = BigInt(cents) * BigInt(points);
					const rounded = BigInt(partOf(cents, points)) * 10_000n;
					expect(2n * (exact - rounded) < 10_000n && 2n * (rounded - exact) <= 10_000n).toBe(true);
				},
			),
		);
	});
});
