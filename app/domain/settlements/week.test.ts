/** How a week adds up, against plain arithmetic with fractions of whole numbers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SETTLEMENT_LINE_KINDS } from "../../db/schema.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import type { Terms } from "../agreements/rules.ts";
import { MONEY_KINDS, type MoneyCents, NO_MONEY } from "../statements/money.ts";
import {
	type Line,
	sumUp,
	taxYearOf,
	type WeekFacts,
	workOutCorrections,
	workOutLines,
} from "./week.ts";

const MONDAY = parseCalendarDate("2026-11-09");
const week = { from: MONDAY, to: addDays(MONDAY, 6) };
const TERMS: Terms = {
	base: "net",
	faresBasisPoints: 10_000,
	tipsBasisPoints: 10_000,
	promotionsBasisPoints: 10_000,
	tollsTo: "driver",
	weeklyRentCents: 0,
	weeklyFeeCents: 0,
	fleetBasisPoints: 0,
	perMileMills: 0,
	thresholdMiles: null,
	thereafterMills: null,
	taxYearStart: null,
};
const charge = (text: string, cents: number) => ({ chargeId: text, text, cents });
const facts = (given: Partial<WeekFacts> = {}): WeekFacts => ({
	...{ week, money: [], terms: TERMS, miles: [], milesBefore: 0, charges: [] },
	...given,
});
const uber = (cents: Partial<MoneyCents>) => ({
	platform: "uber" as const,
	cents: { ...NO_MONEY, ...cents },
});
const amounts = (lines: readonly Line[]) => lines.map(({ kind, cents }) => [kind, cents]);

describe("a week", () => {
	it("is the worked example: half of the fares, the tips, less cash, fuel and damage", () => {
		const money = [
			uber({ fare: 61_500, tip: 6_000, cash: -18_000 }),
			{ platform: "bolt" as const, cents: { ...NO_MONEY, fare: 58_500 } },
		];
		const charges = [charge("Fuel card", -9_500), charge("Damage", -4_000)];
		const lines = workOutLines(
			facts({ money, charges, terms: { ...TERMS, faresBasisPoints: 5_000 } }),
		);
		expect(lines.map(({ kind, platform, text, cents }) => [kind, platform, text, cents])).toEqual([
			["fares", "uber", "Fares after fees: 50% of $615.00", 30_750],
			["fares", "bolt", "Fares after fees: 50% of $585.00", 29_250],
			["tips", "uber", "Tips: 100% of $60.00", 6_000],
			["cash", "uber", "Cash collected", -18_000],
			["charge", null, "Fuel card", -9_500],
			["charge", null, "Damage", -4_000],
		]);
		expect(sumUp(0, lines)).toEqual({
			...{ carriedInCents: 0, resultCents: 34_500, carriedOutCents: 0, payableCents: 34_500 },
		});
	});

	it("counts the fares after all fees, or before them", () => {
		const money = [uber({ fare: 10_000, fee: -2_000, tax: -300, third_party: -50, toll: 400 })];
		const shared = { ...TERMS, faresBasisPoints: 6_000 };
		expect(amounts(workOutLines(facts({ money, terms: shared })))).toEqual([
			["fares", 4_590],
			["tolls", 400],
		]);
		const gross = { ...shared, base: "gross" as const, tollsTo: "fleet" as const };
		expect(amounts(workOutLines(facts({ money, terms: gross })))).toEqual([["fares", 6_000]]);
	});

	it("takes the fleet's percentage of the fares line, in no case of tips or tolls", () => {
		const money = [uber({ fare: 10_001, tip: 5_000, toll: 900 })];
		const terms = {
			...TERMS,
			faresBasisPoints: 5_000,
			fleetBasisPoints: 750,
			weeklyFeeCents: 2_000,
		};
		expect(amounts(workOutLines(facts({ money, terms })))).toEqual([
			["fares", 5_001],
			["tips", 5_000],
			["tolls", 900],
			["fee", -375],
			["fee", -2_000],
		]);
	});

	it("is only what was charged without an agreement", () => {
		const charges = [charge("Fine", -1_000)];
		const lines = workOutLines(facts({ money: [uber({ fare: 100 })], charges, terms: undefined }));
		expect(amounts(lines)).toEqual([["charge", -1_000]]);
	});

	it("below zero is carried out, and nothing is paid", () => {
		const lines = workOutLines(facts({ terms: { ...TERMS, weeklyRentCents: 25_000 } }));
		expect(sumUp(-500, lines)).toEqual({
			...{ carriedInCents: -500, resultCents: -25_500, carriedOutCents: -25_500, payableCents: 0 },
		});
	});
});

describe("paid miles", () => {
	const paid = (terms: Partial<Terms>, given: Partial<WeekFacts>) =>
		workOutLines(facts({ terms: { ...TERMS, ...terms }, ...given })).map(({ cents }) => cents);
	const on = (day: string, miles: number) => ({ on: parseCalendarDate(day), miles });

	it("are paid in tenths of a cent, rounded once for the week", () => {
		const miles = [on("2026-11-09", 101), on("2026-11-10", 200)];
		expect(paid({ perMileMills: 725 }, { miles })).toEqual([21_823]);
		expect(paid({ perMileMills: 700 }, { miles: [on("2026-11-09", 1)] })).toEqual([70]);
	});

	it("beyond the tax year's threshold have another rate", () => {
		const terms = { perMileMills: 550, thresholdMiles: 10_000, thereafterMills: 250 };
		const miles = [on("2026-11-09", 100), on("2026-11-10", 100)];
		expect(paid(terms, { miles, milesBefore: 9_850 })).toEqual([9_500]);
		expect(paid(terms, { miles, milesBefore: 12_000 })).toEqual([5_000]);
	});

	it("start again with the tax year, also in the middle of a week", () => {
		const from = parseCalendarDate("2026-03-30");
		const april = { from: addDays(from, 7), to: addDays(from, 13) };
		const terms = { perMileMills: 550, thresholdMiles: 100, thereafterMills: 250 } as const;
		const miles = [on("2026-04-05", 10), on("2026-04-06", 10)];
		const given = { week: { from, to: addDays(from, 7) }, miles, milesBefore: 500 };
		expect(paid({ ...terms, taxYearStart: "04-06" }, given)).toEqual([800]);
		expect(paid(terms, given)).toEqual([500]);
		expect(taxYearOf(april.from, "04-06")).toBe("2026-04-06");
		expect(taxYearOf(parseCalendarDate("2026-04-05"), "04-06")).toBe("2025-04-06");
	});
});

describe("a correction", () => {
	it("is what the books say today, less what was published and corrected", () => {
		const earlier = { facts: facts({ money: [uber({ fare: 10_000 })] }) };
		const correct = (publishedCents: number, correctedCents: number) =>
			workOutCorrections([{ ...earlier, publishedCents, correctedCents }]);
		expect(correct(9_000, 0)).toEqual([
			{
				...{ kind: "correction", platform: null, cents: 1_000, about: MONDAY, chargeId: null },
				text: "Correction of the week Nov 9 to Nov 15, 2026",
			},
		]);
		expect(correct(9_000, 1_000)).toEqual([]);
		expect(correct(9_000, 1_500)).toMatchObject([{ cents: -500 }]);
	});
});

/** Rounds a fraction half up: the largest whole number that isn't above it plus a half. */
function rounded(numerator: bigint, denominator: bigint): number {
	const [top, bottom] = [2n * numerator + denominator, 2n * denominator];
	const whole = top / bottom;
	return Number(top % bottom < 0n ? whole - 1n : whole);
}

/** The week in plain arithmetic: every line's amount by its kind. */
function plainWeek({ money, terms, miles, milesBefore, charges }: WeekFacts) {
	const lines: (readonly [string, number])[] = [];
	const share = (hundredths: number, cents: number) =>
		rounded(BigInt(hundredths) * BigInt(cents), 10_000n);
	for (const { cents } of terms ? money : []) {
		if (!terms) break;
		const { fare, fee, tax, third_party, tip, promotion, other_earning, toll } = cents;
		const counted = terms.base === "gross" ? fare : fare + fee + tax + third_party;
		const fares = share(terms.faresBasisPoints, counted);
		lines.push(["fares", fares], ["tips", share(terms.tipsBasisPoints, tip)]);
		lines.push(["promotions", share(terms.promotionsBasisPoints, promotion + other_earning)]);
		if (terms.tollsTo === "driver") lines.push(["tolls", toll]);
		lines.push(["cash", cents.cash], ["transfers", cents.transfer]);
		lines.push(["fee", -share(terms.fleetBasisPoints, fares)]);
	}
	if (terms) {
		let mills = 0n;
		let sofar = milesBefore;
		for (const day of miles)
			for (let mile = 0; mile < day.miles; mile++) {
				const isFirst = terms.thresholdMiles === null || sofar < terms.thresholdMiles;
				mills += BigInt(isFirst ? terms.perMileMills : (terms.thereafterMills ?? 0));
				sofar += 1;
			}
		lines.push(["miles", rounded(mills, 10n)]);
		lines.push(["rent", -terms.weeklyRentCents], ["fee", -terms.weeklyFeeCents]);
	}
	for (const { cents } of charges) lines.push(["charge", cents]);
	return lines.filter(([, cents]) => cents !== 0);
}

const cents = fc.integer({ min: -500_000, max: 500_000 });
const percent = fc.nat(10_000);
const moneyOf = fc
	.tuple(...MONEY_KINDS.map(() => cents))
	.map((list) => Object.fromEntries(MONEY_KINDS.map((kind, at) => [kind, list[at]])) as MoneyCents);
const anyTerms: fc.Arbitrary<Terms> = fc.record({
	base: fc.constantFrom("net", "gross"),
	faresBasisPoints: percent,
	tipsBasisPoints: percent,
	promotionsBasisPoints: percent,
	tollsTo: fc.constantFrom("driver", "fleet"),
	weeklyRentCents: fc.nat(50_000),
	weeklyFeeCents: fc.nat(20_000),
	fleetBasisPoints: percent,
	perMileMills: fc.nat(2_000),
	thresholdMiles: fc.option(fc.nat(500), { nil: null }),
	thereafterMills: fc.option(fc.nat(900), { nil: null }),
	taxYearStart: fc.constant("01-01" as const),
});
const anyFacts: fc.Arbitrary<WeekFacts> = fc.record({
	week: fc.constant(week),
	money: fc
		.tuple(fc.option(moneyOf, { nil: undefined }), fc.option(moneyOf, { nil: undefined }))
		.map(([first, second]) => [
			...(first ? [{ platform: "uber" as const, cents: first }] : []),
			...(second ? [{ platform: "bolt" as const, cents: second }] : []),
		]),
	terms: fc.option(anyTerms, { nil: undefined }),
	miles: fc
		.array(fc.nat(300), { maxLength: 7 })
		.map((list) => list.map((miles, day) => ({ on: addDays(MONDAY, day), miles }))),
	milesBefore: fc.nat(900),
	charges: fc.array(
		cents.map((each) => charge("Fine", each)),
		{ maxLength: 3 },
	),
});
const sorted = (lines: readonly (readonly [string, number])[]) =>
	lines.map(([kind, amount]) => `${kind} ${amount}`).sort();

describe("any week", () => {
	it("has the lines and the sum of plain arithmetic", () => {
		fc.assert(
			fc.property(anyFacts, fc.integer({ min: -100_000, max: 0 }), (given, carriedIn) => {
				const lines = workOutLines(given);
				const plain = plainWeek(given);
				expect(sorted(lines.map(({ kind, cents }) => [kind, cents]))).toEqual(sorted(plain));
				const total = plain.reduce((sum, [, amount]) => sum + amount, carriedIn);
				const sums = sumUp(carriedIn, lines);
				expect(sums.resultCents).toBe(total);
				expect(sums.payableCents + sums.carriedOutCents).toBe(total);
				expect(sums.payableCents).toBeGreaterThanOrEqual(0);
				expect(sums.carriedOutCents).toBeLessThanOrEqual(0);
				const places = lines.map(({ kind }) => SETTLEMENT_LINE_KINDS.indexOf(kind));
				expect(places).toEqual(places.toSorted((one, other) => one - other));
			}),
			{ numRuns: 500 },
		);
	});

	it("was settled in full once its corrections are published", () => {
		fc.assert(
			fc.property(fc.array(anyFacts, { minLength: 2, maxLength: 6 }), (histories) => {
				const sum = (lines: readonly Line[]) => lines.reduce((all, each) => all + each.cents, 0);
				const [first, ...later] = histories as [WeekFacts, ...WeekFacts[]];
				const publishedCents = sum(workOutLines(first));
				let correctedCents = 0;
				for (const given of later)
					correctedCents += sum(
						workOutCorrections([{ facts: given, publishedCents, correctedCents }]),
					);
				expect(publishedCents + correctedCents).toBe(sum(workOutLines(later.at(-1) as WeekFacts)));
			}),
		);
	});
});
