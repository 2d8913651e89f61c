/**
 * How a week adds up: the lines of its agreement, the instalments that are due and the corrections
 * of earlier weeks, in whole cents, so that what is shown is the sum (docs/product.md,
 * 'The week').
 */
import type { SETTLEMENT_LINE_KINDS } from "../../db/schema.ts";
import { type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";
import { formatPeriod, type Period } from "../../values/period.ts";
import { type AgreementLine, moneyLines, weekLines } from "../agreements/lines.ts";
import type { Terms } from "../agreements/rules.ts";
import type { MoneyCents } from "../statements/money.ts";

export type LineKind = (typeof SETTLEMENT_LINE_KINDS)[number];
/** The kinds of lines, in the order in which a week lists them. */
const ORDER = [
	...["fares", "tips", "promotions", "tolls", "miles"],
	...["cash", "transfers", "rent", "fee", "charge", "correction"],
] as readonly LineKind[];

/** A line of a week; its cents are plus for the driver. */
export type Line = {
	readonly kind: LineKind;
	readonly platform: string | null;
	readonly text: string;
	readonly cents: number;
	/** The first day of the week that a correction is about. */
	readonly about: CalendarDate | null;
	/** The charge that an instalment is of. */
	readonly chargeId: string | null;
};

/** What one platform's rows of a week add up to. */
export type PlatformMoney = { readonly platform: string; readonly cents: MoneyCents };
/** The business miles of a day. */
export type DayMiles = { readonly on: CalendarDate; readonly miles: number };
/** An instalment that is due; its cents are plus for the driver. */
export type DueCharge = {
	readonly chargeId: string;
	readonly text: string;
	readonly cents: number;
};

/** Everything that a week's own lines follow from. */
export type WeekFacts = {
	readonly week: Period;
	/** The platforms' money that adds up. */
	readonly money: readonly PlatformMoney[];
	/** Absent if no agreement covers the week. */
	readonly terms: Terms | undefined;
	readonly miles: readonly DayMiles[];
	/** The business miles of the tax year before the week's first day. */
	readonly milesBefore: number;
	readonly charges: readonly DueCharge[];
};

const asLine = (line: AgreementLine, platform: string | null): Line => ({
	...line,
	...{ platform, about: null, chargeId: null },
});

/** The first day of the tax year that a day is in. */
export function taxYearOf(day: CalendarDate, start: string): CalendarDate {
	const year = Number(day.slice(0, 4)) - (day.slice(5) < start ? 1 : 0);
	return parseCalendarDate(`${year}-${start}`);
}

/** The week's business miles by tax year, with those that were driven in it before. */
function milesByTaxYear(start: string, { week, miles, milesBefore }: WeekFacts) {
	const first = taxYearOf(week.from, start);
	const years = new Map([[first, { miles: 0, before: milesBefore }]]);
	for (const day of miles) {
		const year = taxYearOf(day.on, start);
		const sofar = years.get(year) ?? { miles: 0, before: 0 };
		years.set(year, { ...sofar, miles: sofar.miles + day.miles });
	}
	return [...years.values()];
}

const inOrder = (one: Line, other: Line) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);

/**
 * A week's own lines: all but its corrections of earlier ones. Without an agreement nothing can be
 * said about money, and only what was charged is due.
 */
export function workOutLines(facts: WeekFacts): Line[] {
	const { terms, money, charges } = facts;
	const agreed = terms
		? [
				...money.flatMap(({ platform, cents }) =>
					moneyLines(terms, cents).map((line) => asLine(line, platform)),
				),
				...weekLines(terms, milesByTaxYear(terms.taxYearStart ?? "01-01", facts)).map((line) =>
					asLine(line, null),
				),
			]
		: [];
	const due = charges.map(
		(charge): Line => ({ ...charge, kind: "charge", platform: null, about: null }),
	);
	return [...agreed, ...due].filter(({ cents }) => cents !== 0).sort(inOrder);
}

/** A published week and today's books of it. */
export type PublishedWeek = {
	readonly facts: WeekFacts;
	/** The sum of its own lines as they were published. */
	readonly publishedCents: number;
	/** What later published weeks have corrected of it. */
	readonly correctedCents: number;
};

const sumOf = (lines: readonly Line[]) => lines.reduce((sum, { cents }) => sum + cents, 0);

/**
 * The lines by which a week corrects earlier ones: what their books say today, less what was
 * settled.
 */
export function workOutCorrections(earlier: readonly PublishedWeek[]): Line[] {
	return earlier.flatMap(({ facts, publishedCents, correctedCents }): Line[] => {
		const cents = sumOf(workOutLines(facts)) - publishedCents - correctedCents;
		if (cents === 0) return [];
		const text = `Correction of the week ${formatPeriod(facts.week)}`;
		const about = facts.week.from;
		return [{ kind: "correction", platform: null, text, cents, about, chargeId: null }];
	});
}

/** A settlement's figures. */
export type Sums = {
	readonly carriedInCents: number;
	readonly resultCents: number;
	/** A sum below zero carries to the next week. */
	readonly carriedOutCents: number;
	readonly payableCents: number;
};

/** The figures that follow from what is carried in and a result. */
export const toSums = (carriedInCents: number, resultCents: number): Sums => ({
	...{ carriedInCents, resultCents },
	carriedOutCents: Math.min(resultCents, 0),
	payableCents: Math.max(resultCents, 0),
});

/** What is carried in and the lines, summed up. */
export const sumUp = (carriedInCents: number, lines: readonly Line[]): Sums =>
	toSums(carriedInCents, carriedInCents + sumOf(lines));
