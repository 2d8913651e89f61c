/** The terms of an agreement and their limits (docs/product.md, 'The week'). */
import type {
	agreements,
	AGREEMENT_BASES as STORED_BASES,
	TOLL_OWNERS as STORED_OWNERS,
	TAX_YEAR_STARTS as STORED_STARTS,
} from "../../db/schema.ts";
import { fleetSign, fleetUnits } from "../../values/fleet-units.ts";
import type { MoneyCents } from "../statements/money.ts";

export type Agreement = typeof agreements.$inferSelect;

/** Its terms about money. */
export type Terms = Pick<
	Agreement,
	| "base"
	| "faresBasisPoints"
	| "tipsBasisPoints"
	| "promotionsBasisPoints"
	| "tollsTo"
	| "weeklyRentCents"
	| "weeklyFeeCents"
	| "fleetBasisPoints"
	| "perMileMills"
	| "thresholdMiles"
	| "thereafterMills"
	| "taxYearStart"
>;

/** Fares after the platform's fees, or before them. */
export const BASES = ["net", "gross"] as const satisfies readonly (typeof STORED_BASES)[number][];
export const TOLL_OWNERS = [
	"driver",
	"fleet",
] as const satisfies readonly (typeof STORED_OWNERS)[number][];
export const TAX_YEAR_STARTS = [
	"01-01",
	"04-06",
] as const satisfies readonly (typeof STORED_STARTS)[number][];
export type TaxYearStart = (typeof TAX_YEAR_STARTS)[number];

export const BASE_LABELS: Readonly<Record<(typeof BASES)[number], string>> = {
	net: "After platform fees",
	gross: "Before platform fees",
};
export const TOLL_LABELS: Readonly<Record<(typeof TOLL_OWNERS)[number], string>> = {
	driver: "The driver",
	fleet: "The fleet",
};
export const TAX_YEAR_LABELS: Readonly<Record<TaxYearStart, string>> = {
	"01-01": "January 1",
	"04-06": "April 6",
};

/** A whole, in hundredths of a percent. */
export const WHOLE = 10_000;
export const MAX_WEEKLY_CENTS = 10_000_000;
/** $100.00 a mile. */
export const MAX_MILLS = 100_000;
/** How far ahead an agreement can start. */
export const MAX_DAYS_AHEAD = 366;
/** Agreements listed on a driver's page, which says so if there are more. */
export const MAX_SHOWN = 50;

/** Whether business miles pay anything, even if only beyond a threshold. */
export const paysMiles = ({
	perMileMills,
	thereafterMills,
}: Pick<Terms, "perMileMills" | "thereafterMills">): boolean =>
	perMileMills > 0 || (thereafterMills ?? 0) > 0;

/** `60%`, `12.5%` */
export const formatPercent = (basisPoints: number): string => `${basisPoints / 100}%`;

/** Tenths of a cent: `72.5 cents`, `1 cent`; `PLN 0.725` where they have another name. */
export function formatMills(mills: number): string {
	const hasCents = ["USD", "EUR"].includes(fleetUnits().currency);
	if (!hasCents) return `${fleetSign()}${(mills / 1000).toFixed(mills % 10 === 0 ? 2 : 3)}`;
	return mills === 10 ? "1 cent" : `${mills / 10} cents`;
}

/**
 * The agreement that applies to a week: the last to start by its first day and, of several that
 * start on that day, the last one made.
 * @param weekFrom the first day of the week
 */
export function agreementFor<One extends Pick<Agreement, "startsOn" | "number">>(
	agreements: readonly One[],
	weekFrom: string,
): One | undefined {
	let found: One | undefined;
	for (const one of agreements) {
		if (one.startsOn > weekFrom) continue;
		const isLater =
			!found ||
			one.startsOn > found.startsOn ||
			(one.startsOn === found.startsOn && one.number > found.number);
		if (isLater) found = one;
	}
	return found;
}

/** What a form starts with if there is no agreement: the driver keeps everything. */
export const EVERYTHING = {
	base: BASES[0],
	faresPercent: "100",
	tipsPercent: "100",
	promotionsPercent: "100",
	tollsTo: TOLL_OWNERS[0],
	weeklyRent: "0.00",
	weeklyFee: "0.00",
	fleetPercent: "0",
	perMileMills: "0",
} as const;

/** Published rates for a business mile, to be confirmed by whoever chooses one. */
export const PRESETS = {
	"irs-2026": {
		label: "IRS 2026",
		currency: "USD",
		text: "United States, the IRS business rate from January 1, 2026: 72.5 cents a mile",
		values: { perMileMills: "725", taxYearStart: "01-01" },
	},
	"hmrc-2026": {
		label: "HMRC 2026",
		currency: "GBP",
		text: "United Kingdom, HMRC's rate for cars from April 6, 2026: 55p a mile up to 10,000 miles a tax year, then 25p",
		values: {
			perMileMills: "550",
			thresholdMiles: "10000",
			thereafterMills: "250",
			taxYearStart: "04-06",
		},
	},
} as const satisfies Readonly<
	Record<
		string,
		{ label: string; currency: string; text: string; values: Readonly<Record<string, string>> }
	>
>;

/** The week of the worked example. */
export const EXAMPLE: { readonly money: MoneyCents; readonly miles: number } = {
	money: {
		fare: 100_000,
		fee: -25_000,
		tip: 6000,
		promotion: 4000,
		other_earning: 0,
		toll: 2000,
		tax: 0,
		third_party: 0,
		cash: -18_000,
		transfer: 0,
	},
	miles: 500,
};
