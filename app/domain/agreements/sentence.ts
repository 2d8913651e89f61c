/** An agreement as one sentence, and a worked example. */

import { inUnits } from "../../values/fleet-units.ts";
import { countMiles, formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { type AgreementLine, LINE_KINDS, moneyLines, weekLines } from "./lines.ts";
import {
	EXAMPLE,
	formatMills,
	formatPercent,
	paysMiles,
	TAX_YEAR_LABELS,
	type Terms,
	WHOLE,
} from "./rules.ts";

/** `a`, `a and b`, `a, b and c` */
function listed(parts: readonly string[]): string {
	const last = parts.at(-1) ?? "";
	const others = parts.slice(0, -1);
	return others.length > 0 ? `${others.join(", ")} and ${last}` : last;
}

const share = (basisPoints: number, of: string) =>
	basisPoints === WHOLE ? `all ${of}` : `${formatPercent(basisPoints)} of ${of}`;

/** What is paid for business miles. */
function milesWords({ perMileMills, thresholdMiles, thereafterMills, taxYearStart }: Terms) {
	const rate = `${formatMills(perMileMills)} a business ${inUnits("mile")}`;
	if (thresholdMiles === null) return rate;
	const year = `a tax year from ${TAX_YEAR_LABELS[taxYearStart ?? "01-01"]}`;
	return `${rate} up to ${countMiles(thresholdMiles)} ${year} and ${formatMills(thereafterMills ?? 0)} beyond`;
}

/**
 * `Dana keeps 60% of fares after the platform's fees, all tips and promotions and all tolls, less
 * $120.00 rent a week.`
 * @param name the driver's
 */
export function describeAgreement(name: string, terms: Terms): string {
	const { base, tipsBasisPoints: tips, promotionsBasisPoints: promotions } = terms;
	const shares: readonly (readonly [basisPoints: number, of: string])[] = [
		[terms.faresBasisPoints, `fares ${base === "net" ? "after" : "before"} the platform's fees`],
		...(tips === promotions
			? ([[tips, "tips and promotions"]] as const)
			: ([
					[tips, "tips"],
					[promotions, "promotions"],
				] as const)),
		[terms.tollsTo === "driver" ? WHOLE : 0, "tolls"],
	];
	const kept = shares.flatMap(([points, of]) => (points > 0 ? [share(points, of)] : []));
	const left = shares.flatMap(([points, of]) =>
		points > 0 ? [] : [of.replace(/ (after|before) .*/, "")],
	);
	const less = [
		...(terms.weeklyRentCents > 0 ? [`${formatDollars(terms.weeklyRentCents)} rent a week`] : []),
		...(terms.weeklyFeeCents > 0 ? [`a fee of ${formatDollars(terms.weeklyFeeCents)} a week`] : []),
		...(terms.fleetBasisPoints > 0
			? [`${formatPercent(terms.fleetBasisPoints)} of their fares for the fleet`]
			: []),
	];
	return [
		`${name} keeps ${listed(kept) || "nothing of what the platforms pay"}`,
		paysMiles(terms) ? `, plus ${milesWords(terms)}` : "",
		less.length > 0 ? `, less ${listed(less)}` : "",
		left.length > 0 ? `; the fleet keeps ${listed(left)}` : "",
		".",
	].join("");
}

/** A worked example: a week's money in words, its lines in order, and their sum in cents. */
export type WorkedExample = {
	readonly week: string;
	readonly lines: readonly AgreementLine[];
	readonly result: number;
};

/** What an agreement comes to in a typical week. */
export function workExample(terms: Terms): WorkedExample {
	const { money, miles } = EXAMPLE;
	const lines = [...moneyLines(terms, money), ...weekLines(terms, [{ miles, before: 0 }])].toSorted(
		(one, other) => LINE_KINDS.indexOf(one.kind) - LINE_KINDS.indexOf(other.kind),
	);
	const amounts = [
		`${formatDollars(money.fare)} in fares`,
		`${formatDollars(-money.fee)} in platform fees`,
		`${formatDollars(money.tip)} in tips`,
		`${formatDollars(money.promotion)} in promotions`,
		`${formatDollars(money.toll)} in tolls`,
		`${formatDollars(-money.cash)} cash collected`,
		...(paysMiles(terms) ? [`${formatMiles(miles)} business ${inUnits("miles")}`] : []),
	];
	return {
		week: `A week with ${listed(amounts)}`,
		lines,
		result: lines.reduce((sum, { cents }) => sum + cents, 0),
	};
}
