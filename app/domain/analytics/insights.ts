/**
 * The mileage report's view of the drivers' figures: their order, the counts by tier, and
 * recommendations (docs/product.md §2).
 */

import { inUnits } from "../../values/fleet-units.ts";
import { countMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import type { Thresholds } from "../kernel/fleet-settings.ts";
import { formatDriverCode } from "../people/rules.ts";
import { costPerMile, getTier, TIERS, type Tier, type Totals } from "./rules.ts";

/** A driver with the period's totals. */
export type Performance = Pick<Totals, "miles" | "fuelCents" | "fuelRequests"> & {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
	readonly isActive: boolean;
};

/** Whether a driver counts in a period: former drivers do if they have figures in it. */
const countsInPeriod = ({
	isActive,
	miles,
	fuelCents,
}: Pick<Performance, "isActive" | "miles" | "fuelCents">) => isActive || miles > 0 || fuelCents > 0;

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** The drivers who count in the report's period: most miles first, then most fuel, then by name. */
export function sortByMileage<Row extends Performance>(drivers: readonly Row[]): Row[] {
	return drivers
		.filter(countsInPeriod)
		.sort(
			(one, other) =>
				other.miles - one.miles ||
				other.fuelCents - one.fuelCents ||
				compareText(one.lastName, other.lastName) ||
				compareText(one.firstName, other.firstName) ||
				compareText(one.id, other.id),
		);
}

/** Drivers in a recommendation: how many, their total, and the first of them by name. */
type Group = {
	readonly drivers: number;
	readonly cents: number;
	/** At most MAX_NAMED. */
	readonly first: readonly Performance[];
};

/** Totals over a report's drivers: calculated from them, or stored (standings.server.ts). */
export type Summary = {
	readonly miles: number;
	readonly fuelCents: number;
	/** Drivers in the table. */
	readonly listed: number;
	/** The number of drivers in each tier; those without miles are in none. */
	readonly tiers: Readonly<Record<Tier, number>> & { readonly none: number };
	/** Over the target, costliest first; `cents` is the excess. */
	readonly over: Group;
	/** Fuel and no miles, most fuel first. */
	readonly idle: Group;
	/** The lowest cost per mile of those who paid for fuel and stayed within the target. */
	readonly best: Performance | undefined;
};

/** How many drivers a recommendation names; the rest are only counted. */
export const MAX_NAMED = 3;
/** How many flagged entries are read for a recommendation; one more means that there are more. */
export const MAX_COUNTED = 50;

export type Recommendation = {
	readonly kind: "over" | "efficient" | "fuel" | "flagged" | "fine";
	readonly text: string;
	/** The drivers it names, in the order of the text, each as the text has it. */
	readonly named: readonly { readonly id: string; readonly name: string }[];
};

const nameOf = (driver: Performance) => ({ id: driver.id, name: nameWithCode(driver) });

/** A driver by name and code, since two may have the same name. */
export function nameWithCode({
	firstName,
	lastName,
	driverNumber,
}: Pick<Performance, "firstName" | "lastName" | "driverNumber">): string {
	const code = formatDriverCode(driverNumber);
	const name = `${firstName} ${lastName}`.trim();
	return code ? `${name} (${code})` : name;
}

type Figures = Pick<Performance, "miles" | "fuelCents">;

/** Cents spent on fuel beyond what the target allows for the miles driven. */
const costOverTarget = ({ miles, fuelCents }: Figures, { targetCents }: Thresholds) =>
	fuelCents - targetCents * miles;

function describeExcess(who: string, figures: Figures, thresholds: Thresholds): string {
	const { targetCents } = thresholds;
	const cost = costPerMile(figures);
	return `${who} averages ${formatDollars(cost)} per ${inUnits("mile")}, ${formatDollars(cost - targetCents)} over the ${formatDollars(targetCents)} target: ${formatDollars(costOverTarget(figures, thresholds))} in extra fuel over ${countMiles(figures.miles)}.`;
}

const isOver = (figures: Figures, { targetCents }: Thresholds) =>
	figures.miles > 0 && costPerMile(figures) > targetCents;

const sumOf = (drivers: readonly Performance[], of: (driver: Performance) => number) =>
	drivers.reduce((sum, driver) => sum + of(driver), 0);

/**
 * The drivers with the lowest cost per mile within the target, and those most over it in dollars.
 * @param drivers as `sortByMileage` returns them
 * @param size of each of the two lists
 */
export function rankByCost(drivers: readonly Performance[], size: number, thresholds: Thresholds) {
	const lowest = drivers
		.filter((driver) => driver.miles > 0 && driver.fuelCents > 0 && !isOver(driver, thresholds))
		.sort((one, other) => costPerMile(one) - costPerMile(other) || other.miles - one.miles);
	const over = drivers
		.filter((driver) => isOver(driver, thresholds))
		.sort((one, other) => costOverTarget(other, thresholds) - costOverTarget(one, thresholds));
	return { lowest: lowest.slice(0, size), over: over.slice(0, size) };
}

/**
 * Sums up some drivers.
 * @param drivers as `sortByMileage` returns them: of equal ones the first in the table is named
 */
export function summarize(drivers: readonly Performance[], thresholds: Thresholds): Summary {
	const tiers = drivers.map((driver) => getTier(driver, thresholds));
	const count = (tier: Tier | undefined) => tiers.filter((each) => each === tier).length;
	const [excellent, good, poor] = TIERS;
	const group = (some: readonly Performance[], cents: (driver: Performance) => number): Group => ({
		drivers: some.length,
		cents: sumOf(some, cents),
		first: [...some].sort((one, other) => cents(other) - cents(one)).slice(0, MAX_NAMED),
	});
	const [best] = rankByCost(drivers, 1, thresholds).lowest;
	return {
		miles: sumOf(drivers, ({ miles }) => miles),
		fuelCents: sumOf(drivers, ({ fuelCents }) => fuelCents),
		listed: drivers.length,
		tiers: {
			[excellent]: count(excellent),
			[good]: count(good),
			[poor]: count(poor),
			none: count(undefined),
		},
		over: group(
			drivers.filter((driver) => isOver(driver, thresholds)),
			(driver) => costOverTarget(driver, thresholds),
		),
		idle: group(
			drivers.filter(({ miles, fuelCents }) => miles === 0 && fuelCents > 0),
			({ fuelCents }) => fuelCents,
		),
		best,
	};
}

/** Drivers with miles. */
const drivingOf = ({ listed, tiers }: Summary) => listed - tiers.none;

/** How many more there are than are named, and their total. */
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
