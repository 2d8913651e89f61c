/**
 * How a week adds up under an agreement: one line for each of its terms, each rounded half up once,
 * so that the lines shown are the sum (docs/product.md, 'The week').
 */
import { countMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import type { MoneyCents } from "../statements/money.ts";
import { formatMills, formatPercent, type Terms, WHOLE } from "./rules.ts";

export const LINE_KINDS = [
	"fares",
	"tips",
	"promotions",
	"tolls",
	"miles",
	"cash",
	"transfers",
	"rent",
	"fee",
] as const;

export type AgreementLine = {
	readonly kind: (typeof LINE_KINDS)[number];
	/** How it was worked out. */
	readonly text: string;
	/** Plus for the driver. */
	readonly cents: number;
};

/** A part of an amount, rounded half up. */
export const partOf = (cents: number, basisPoints: number): number =>
	Math.floor((2 * cents * basisPoints + WHOLE) / (2 * WHOLE));

/** Business miles of one tax year. */
export type YearMiles = {
	readonly miles: number;
	/** Miles earlier in the same tax year. */
	readonly before: number;
};

/** What business miles pay, rounded half up once. */
export function milesCents(
	{ perMileMills, thresholdMiles, thereafterMills }: MileTerms,
	years: readonly YearMiles[],
): number {
	const mills = years.reduce((sum, { miles, before }) => {
		const full =
			thresholdMiles === null ? miles : Math.min(miles, Math.max(0, thresholdMiles - before));
		return sum + full * perMileMills + (miles - full) * (thereafterMills ?? 0);
	}, 0);
	return Math.floor((mills + 5) / 10);
}
type MileTerms = Pick<Terms, "perMileMills" | "thresholdMiles" | "thereafterMills">;

/** The fares that percentages apply to. */
const faresOf = ({ base }: Pick<Terms, "base">, money: MoneyCents): number =>
	base === "gross" ? money.fare : money.fare + money.fee + money.tax + money.third_party;

/** The lines of a platform's money; lines of zero are left out. */
export function moneyLines(terms: Terms, money: MoneyCents): AgreementLine[] {
	const fares = faresOf(terms, money);
	const own = partOf(fares, terms.faresBasisPoints);
	const promotions = money.promotion + money.other_earning;
	const { base, faresBasisPoints, fleetBasisPoints } = terms;
	const lines: AgreementLine[] = [
		{
			kind: "fares",
			text: `Fares ${base === "net" ? "after" : "before"} fees: ${percentOf(faresBasisPoints, fares)}`,
			cents: own,
		},
		{
			kind: "tips",
			text: `Tips: ${percentOf(terms.tipsBasisPoints, money.tip)}`,
			cents: partOf(money.tip, terms.tipsBasisPoints),
		},
		{
			kind: "promotions",
			text: `Promotions: ${percentOf(terms.promotionsBasisPoints, promotions)}`,
			cents: partOf(promotions, terms.promotionsBasisPoints),
		},
		{ kind: "tolls", text: "Tolls", cents: terms.tollsTo === "driver" ? money.toll : 0 },
		{ kind: "cash", text: "Cash collected", cents: money.cash },
		{ kind: "transfers", text: "Already sent to the driver", cents: money.transfer },
		{
			kind: "fee",
			text: `For the fleet: ${percentOf(fleetBasisPoints, own)}`,
			cents: -partOf(own, fleetBasisPoints),
		},
	];
	return lines.filter(({ cents }) => cents !== 0);
}

const percentOf = (basisPoints: number, cents: number) =>
	`${formatPercent(basisPoints)} of ${formatDollars(cents)}`;

/**
 * The lines of a week that don't depend on a platform.
 * @param years the week's business miles: two parts where a tax year begins in it
 */
export function weekLines(terms: Terms, years: readonly YearMiles[]): AgreementLine[] {
	const miles = years.reduce((sum, year) => sum + year.miles, 0);
	const lines: AgreementLine[] = [
		{
			kind: "miles",
			text: `${countMiles(miles)} at ${formatMills(terms.perMileMills)}${
				terms.thresholdMiles === null ? "" : `, ${formatMills(terms.thereafterMills ?? 0)} beyond`
			}`,
			cents: milesCents(terms, years),
		},
		{ kind: "rent", text: "Weekly rent", cents: -terms.weeklyRentCents },
		{ kind: "fee", text: "Weekly fee", cents: -terms.weeklyFeeCents },
	];
	return lines.filter(({ cents }) => cents !== 0);
}
