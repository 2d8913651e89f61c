/**
 * What the mileage report makes of the drivers' figures: their order, the counts by tier, and
 * recommendations (docs/product.md §2).
 */
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { formatDriverCode } from "../users/rules.ts";
import { costPerMile, getTier, TARGET_CENTS, TIERS, type Tier, type Totals } from "./rules.ts";

/** A driver with the period's totals. */
export type Performance = Pick<Totals, "miles" | "fuelCents" | "fuelRequests"> & {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
	readonly isActive: boolean;
};

const hasFigures = ({ miles, fuelCents }: Performance) => miles > 0 || fuelCents > 0;

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * The drivers of the report, the most miles first, then the most fuel, then by name. Former drivers
 * appear if they have figures in the period.
 */
export function sortByMileage<Row extends Performance>(drivers: readonly Row[]): Row[] {
	return drivers
		.filter((driver) => driver.isActive || hasFigures(driver))
		.sort(
			(one, other) =>
				other.miles - one.miles ||
				other.fuelCents - one.fuelCents ||
				compareText(one.lastName, other.lastName) ||
				compareText(one.firstName, other.firstName) ||
				compareText(one.id, other.id),
		);
}

/** What the column of the table adds up to. */
export function sumPerformance(drivers: readonly Performance[]): {
	readonly miles: number;
	readonly fuelCents: number;
} {
	return drivers.reduce(
		(sum, { miles, fuelCents }) => ({
			miles: sum.miles + miles,
			fuelCents: sum.fuelCents + fuelCents,
		}),
		{
			miles: 0,
			fuelCents: 0,
		},
	);
}

/** How many drivers each tier has; those without miles are in none. */
export function tierCounts(
	drivers: readonly Performance[],
): Readonly<Record<Tier, number>> & { readonly none: number } {
	const tiers = drivers.map(getTier);
	const count = (tier: Tier | undefined) => tiers.filter((each) => each === tier).length;
	const [excellent, good, poor] = TIERS;
	return {
		[excellent]: count(excellent),
		[good]: count(good),
		[poor]: count(poor),
		none: count(undefined),
	};
}

/** Drivers that a recommendation names; the rest is counted. */
export const MAX_NAMED = 3;
/**
 * Flagged entries that are looked through for a recommendation; one more tells that there are more.
 */
export const MAX_COUNTED = 50;

export type Recommendation = {
	readonly kind: "over" | "efficient" | "fuel" | "flagged" | "fine";
	readonly text: string;
};

/** A driver by name and code: two may have one name. */
export function nameWithCode({
	firstName,
	lastName,
	driverNumber,
}: Pick<Performance, "firstName" | "lastName" | "driverNumber">): string {
	const code = formatDriverCode(driverNumber);
	const name = `${firstName} ${lastName}`.trim();
	return code ? `${name} (${code})` : name;
}

const TARGET = formatDollars(TARGET_CENTS);
/** Cents spent on fuel beyond what the target allows for the miles driven. */
const costOverTarget = ({ miles, fuelCents }: Pick<Performance, "miles" | "fuelCents">) =>
	fuelCents - TARGET_CENTS * miles;

function overWords(who: string, figures: Pick<Performance, "miles" | "fuelCents">): string {
	const cost = costPerMile(figures);
	return `${who} averages ${formatDollars(cost)} per mile, ${formatDollars(cost - TARGET_CENTS)} over the ${TARGET} target: ${formatDollars(costOverTarget(figures))} in extra fuel over ${formatMiles(figures.miles)} miles.`;
}

const isOver = (figures: Pick<Performance, "miles" | "fuelCents">) =>
	figures.miles > 0 && costPerMile(figures) > TARGET_CENTS;

/** Who is over the target, by how much and what it costs; the costliest first. */
function overTarget(
	driving: readonly Performance[],
	all: readonly Performance[],
): Recommendation[] {
	const over = driving
		.filter(isOver)
		.sort((one, other) => costOverTarget(other) - costOverTarget(one));
	const fleet = sumPerformance(all);
	const rest = over.slice(MAX_NAMED);
	const texts = [
		...(driving.length > 1 && isOver(fleet) ? [overWords("The fleet", fleet)] : []),
		...over.slice(0, MAX_NAMED).map((driver) => overWords(nameWithCode(driver), driver)),
		...(rest.length > 0
			? [
					`${rest.length} more ${rest.length === 1 ? "driver is" : "drivers are"} over target by ${formatDollars(rest.reduce((sum, driver) => sum + costOverTarget(driver), 0))}${rest.length === 1 ? "" : " in total"}.`,
				]
			: []),
	];
	return texts.map((text) => ({ kind: "over", text }));
}

/**
 * The best cost per mile among several; ties go to whoever drove more. Drivers without fuel costs
 * don't qualify.
 */
function mostEfficient(driving: readonly Performance[]): Recommendation[] {
	if (driving.length < 2) return [];
	const [best] = driving
		.filter(({ fuelCents }) => fuelCents > 0)
		.sort((one, other) => costPerMile(one) - costPerMile(other) || other.miles - one.miles);
	if (!best || costPerMile(best) > TARGET_CENTS) return [];
	return [
		{
			kind: "efficient",
			text: `${nameWithCode(best)} is the most efficient driver: ${formatDollars(costPerMile(best))} per mile over ${formatMiles(best.miles)} miles.`,
		},
	];
}

/** Fuel that was paid for and no miles to show for it, the most first. */
function fuelWithoutMiles(all: readonly Performance[]): Recommendation[] {
	const idle = all
		.filter(({ miles, fuelCents }) => miles === 0 && fuelCents > 0)
		.sort((one, other) => other.fuelCents - one.fuelCents);
	const rest = idle.slice(MAX_NAMED);
	const texts = [
		...idle.slice(0, MAX_NAMED).map((driver) => {
			const requests = `${driver.fuelRequests} ${driver.fuelRequests === 1 ? "request" : "requests"}`;
			return `${nameWithCode(driver)} has ${formatDollars(driver.fuelCents)} in approved fuel (${requests}) but no miles logged.`;
		}),
		...(rest.length > 0
			? [
					`${rest.length} more ${rest.length === 1 ? "driver has" : "drivers have"} approved fuel but no miles: ${formatDollars(sumPerformance(rest).fuelCents)}${rest.length === 1 ? "" : " in total"}.`,
				]
			: []),
	];
	return texts.map((text) => ({ kind: "fuel", text }));
}

/** Whose entries are flagged, the most first. */
function flaggedEntries(all: readonly Performance[], owners: readonly string[]): Recommendation[] {
	if (owners.length === 0) return [];
	const seen = owners.slice(0, MAX_COUNTED);
	const counts = new Map<string, number>();
	for (const owner of seen) counts.set(owner, (counts.get(owner) ?? 0) + 1);
	const known = all
		.filter(({ id }) => counts.has(id))
		.map((driver) => ({ name: nameWithCode(driver), count: counts.get(driver.id) ?? 0 }))
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
		},
	];
}

/**
 * What an administrator should look into, with names and numbers; the costly first.
 * @param drivers of the report
 * @param flaggedOwners the driver of each flagged entry of the window, the newest first, at most
 * one more than MAX_COUNTED
 */
export function buildRecommendations(
	drivers: readonly Performance[],
	flaggedOwners: readonly string[],
): Recommendation[] {
	const driving = drivers.filter(({ miles }) => miles > 0);
	const over = overTarget(driving, drivers);
	const fine: Recommendation[] =
		over.length === 0 && driving.length > 0
			? [{ kind: "fine", text: `All active drivers are within the target of ${TARGET} per mile.` }]
			: [];
	return [
		...over,
		...fuelWithoutMiles(drivers),
		...flaggedEntries(drivers, flaggedOwners),
		...fine,
		...mostEfficient(driving),
	];
}
