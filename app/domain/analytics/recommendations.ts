/** What the mileage report recommends looking into (docs/product.md §2). */

import { inUnits } from "../../values/fleet-units.ts";
import { countMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import type { Thresholds } from "../kernel/fleet-settings.ts";
import { nameWithCode } from "../people/rules.ts";
import {
	costOverTarget,
	type Figures,
	type Group,
	isOver,
	MAX_NAMED,
	type Performance,
	type Summary,
	sumOf,
} from "./insights.ts";
import { costPerMile } from "./rules.ts";

/** How many flagged entries are read for a recommendation; one more means that there are more. */
export const MAX_COUNTED = 50;

export type Recommendation = {
	readonly kind: "over" | "efficient" | "fuel" | "flagged" | "fine";
	readonly text: string;
	/** The drivers it names, in the order of the text, each as the text has it. */
	readonly named: readonly { readonly id: string; readonly name: string }[];
};

const nameOf = (driver: Performance) => ({ id: driver.id, name: nameWithCode(driver) });

function describeExcess(who: string, figures: Figures, thresholds: Thresholds): string {
	const { targetCents } = thresholds;
	const cost = costPerMile(figures);
	return `${who} averages ${formatDollars(cost)} per ${inUnits("mile")}, ${formatDollars(cost - targetCents)} over the ${formatDollars(targetCents)} target: ${formatDollars(costOverTarget(figures, thresholds))} in extra fuel over ${countMiles(figures.miles)}.`;
}

/** Drivers with miles. */
const drivingOf = ({ listed, tiers }: Summary) => listed - tiers.none;

/** How many drivers aren't named, and their total. */
function restOf({ drivers, cents, first }: Group, of: (driver: Performance) => number) {
	return { drivers: drivers - first.length, cents: cents - sumOf(first, of) };
}

/** Who is over the target, by how much and at what cost; costliest first. */
function recommendOverTarget(summary: Summary, thresholds: Thresholds): Recommendation[] {
	const { first } = summary.over;
	const rest = restOf(summary.over, (driver) => costOverTarget(driver, thresholds));
	const kind = "over";
	const fleet =
		drivingOf(summary) > 1 && isOver(summary, thresholds)
			? [{ kind, text: describeExcess("The fleet", summary, thresholds), named: [] } as const]
			: [];
	const each = first.map(
		(driver) =>
			({
				kind,
				text: describeExcess(nameWithCode(driver), driver, thresholds),
				named: [nameOf(driver)],
			}) as const,
	);
	const text = `${rest.drivers} more ${rest.drivers === 1 ? "driver is" : "drivers are"} over target by ${formatDollars(rest.cents)}${rest.drivers === 1 ? "" : " in total"}.`;
	return [...fleet, ...each, ...(rest.drivers > 0 ? [{ kind, text, named: [] } as const] : [])];
}

/**
 * The best cost per mile if there are several; ties go to whoever drove more. Drivers without fuel
 * costs don't qualify.
 */
function mostEfficient(summary: Summary): Recommendation[] {
	const { best } = summary;
	if (drivingOf(summary) < 2 || !best) return [];
	return [
		{
			kind: "efficient",
			text: `${nameWithCode(best)} is the most efficient driver: ${formatDollars(costPerMile(best))} per ${inUnits("mile")} over ${countMiles(best.miles)}.`,
			named: [nameOf(best)],
		},
	];
}

/** Drivers with approved fuel and no miles, most fuel first. */
function fuelWithoutMiles({ idle }: Summary): Recommendation[] {
	const rest = restOf(idle, ({ fuelCents }) => fuelCents);
	const kind = "fuel";
	const each = idle.first.map((driver) => {
		const requests = `${driver.fuelRequests} ${driver.fuelRequests === 1 ? "request" : "requests"}`;
		const text = `${nameWithCode(driver)} has ${formatDollars(driver.fuelCents)} in approved fuel (${requests}) but no ${inUnits("miles")} logged.`;
		return { kind, text, named: [nameOf(driver)] } as const;
	});
	const text = `${rest.drivers} more ${rest.drivers === 1 ? "driver has" : "drivers have"} approved fuel but no ${inUnits("miles")}: ${formatDollars(rest.cents)}${rest.drivers === 1 ? "" : " in total"}.`;
	return [...each, ...(rest.drivers > 0 ? [{ kind, text, named: [] } as const] : [])];
}

/** Whose entries are flagged, most flags first. */
function flaggedEntries(all: readonly Performance[], owners: readonly string[]): Recommendation[] {
	if (owners.length === 0) return [];
	const seen = owners.slice(0, MAX_COUNTED);
	const counts = new Map<string, number>();
	for (const owner of seen) counts.set(owner, (counts.get(owner) ?? 0) + 1);
	const known = all
		.filter(({ id }) => counts.has(id))
		.map((driver) => ({ ...nameOf(driver), count: counts.get(driver.id) ?? 0 }))
		.sort((one, other) => other.count - one.count);
	const named = known.slice(0, MAX_NAMED);
	const rest = seen.length - named.reduce((sum, { count }) => sum + count, 0);
	const whose = [
		...named.map(({ name, count }) => `${name} ${count}`),
		...(rest > 0 ? [`others ${rest}`] : []),
	].join(", ");
	const many =
		owners.length > MAX_COUNTED
			? `More than ${MAX_COUNTED} entries are flagged. Among the latest ${MAX_COUNTED}`
			: `${seen.length} ${seen.length === 1 ? "entry is" : "entries are"} flagged`;
	return [
		{
			kind: "flagged",
			text: `${many}: ${whose}. Check the readings under Flagged entries.`,
			named: named.map(({ id, name }) => ({ id, name })),
		},
	];
}

/**
 * What an administrator should look into, with names and figures, costliest first.
 * @param known drivers of the report in its order, including at least those of flagged entries
 * @param flaggedOwners the driver of each flagged entry in the window, newest first, at most one
 * more than MAX_COUNTED
 */
export function buildRecommendations(
	summary: Summary,
	known: readonly Performance[],
	flaggedOwners: readonly string[],
	thresholds: Thresholds,
): Recommendation[] {
	const isFine = summary.over.drivers === 0 && drivingOf(summary) > 0;
	const fine: Recommendation[] = isFine
		? [
				{
					kind: "fine",
					text: `All active drivers are within the target of ${formatDollars(thresholds.targetCents)} per ${inUnits("mile")}.`,
					named: [],
				},
			]
		: [];
	return [
		...recommendOverTarget(summary, thresholds),
		...fuelWithoutMiles(summary),
		...flaggedEntries(known, flaggedOwners),
		...fine,
		...mostEfficient(summary),
	];
}
