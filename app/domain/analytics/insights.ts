/**
 * The mileage report's view of the drivers' figures: their order, and the counts by tier
 * (docs/product.md §2).
 */

import type { Thresholds } from "../kernel/fleet-settings.ts";
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
export type Group = {
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
/** What a cost per mile is made of. */
export type Figures = Pick<Performance, "miles" | "fuelCents">;

/** Cents spent on fuel beyond what the target allows for the miles driven. */
export const costOverTarget = ({ miles, fuelCents }: Figures, { targetCents }: Thresholds) =>
	fuelCents - targetCents * miles;

/** Whether the cost per mile is above the target. */
export const isOver = (figures: Figures, { targetCents }: Thresholds) =>
	figures.miles > 0 && costPerMile(figures) > targetCents;

/** Adds up a figure of some drivers. */
export const sumOf = (drivers: readonly Performance[], of: (driver: Performance) => number) =>
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
