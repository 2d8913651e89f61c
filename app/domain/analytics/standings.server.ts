/**
 * Reads the kept standings of every driver and of the whole fleet (docs/decisions/0056): the cost
 * depends on the size of a page, not on the number of drivers.
 */
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Builder, StatementResult } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { standingSets, standings, users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Position } from "../../values/cursor.ts";
import type { ReaderContext } from "../kernel/context.ts";
import { dayNumber } from "./blocks.ts";
import { MAX_NAMED, type Summary } from "./insights.ts";
import { TIERS } from "./rules.ts";
import { hasCurrentThresholds } from "./standing-thresholds.server.ts";
import type { StandingWindow } from "./standing-windows.ts";

/**
 * Whether a set can be used now: kept by triggers, or built in advance with no marked drivers left,
 * and made with the current thresholds.
 */
function isUsable(today: CalendarDate): SQL {
	return sql`end_day = ${dayNumber(today)} and ${hasCurrentThresholds}
		and (state = 'live' or (state = 'built' and not exists (select 1 from standing_marks where driver_id >= '')))`;
}

/** Whether the rows of drivers have to be added up, because there is no set for today. */
export const hasNoSet = (today: CalendarDate): SQL =>
	sql`not exists (select 1 from standing_sets where ${isUsable(today)})`;

/** The set that ends today: one row, or none if it isn't complete. */
export function selectSet(build: Builder, today: CalendarDate) {
	return build.select().from(standingSets).where(isUsable(today));
}
export type StandingSet = StatementResult<ReturnType<typeof selectSet>>[number];

/** What figures depend on, and the request that a log line belongs to. */
export type FiguresContext = Pick<ReaderContext, "db" | "today" | "requestId" | "settings">;

/** Logs that a screen had to add up every driver. */
export function logMissingSet({
	requestId,
	today,
}: Pick<FiguresContext, "requestId" | "today">): void {
	console.log(JSON.stringify({ requestId, standings: "missing", today }));
}

/** The columns of a window. */
const COLUMNS = {
	week: {
		miles: standings.weekMiles,
		fuelCents: standings.weekFuelCents,
		fuelRequests: standings.weekFuelRequests,
		lessMiles: standings.weekLessMiles,
		lessFuel: standings.weekLessFuel,
		over: standings.weekOver,
		best: standings.weekBest,
	},
	month: {
		miles: standings.monthMiles,
		fuelCents: standings.monthFuelCents,
		fuelRequests: standings.monthFuelRequests,
		lessMiles: standings.monthLessMiles,
		lessFuel: standings.monthLessFuel,
		over: standings.monthOver,
		best: standings.monthBest,
	},
	quarter: {
		miles: standings.quarterMiles,
		fuelCents: standings.quarterFuelCents,
		fuelRequests: standings.quarterFuelRequests,
		lessMiles: standings.quarterLessMiles,
		lessFuel: standings.quarterLessFuel,
		over: standings.quarterOver,
		best: standings.quarterBest,
	},
} as const;
/** Who is in a window's table, in the exact words of its partial index. */
const isListed = (window: StandingWindow) =>
	sql.raw(`(standings.is_active = 1 or ${window}_miles > 0 or ${window}_fuel_cents > 0)`);

function selectStandings(build: Builder, window: StandingWindow) {
	const { miles, fuelCents, fuelRequests } = COLUMNS[window];
	return build
		.select({
			id: standings.driverId,
			firstName: standings.firstName,
			lastName: standings.lastName,
			driverNumber: users.driverNumber,
			isActive: standings.isActive,
			miles: sql<number>`${miles}`.as("miles"),
			fuelCents: sql<number>`${fuelCents}`.as("fuelCents"),
			fuelRequests: sql<number>`${fuelRequests}`.as("fuelRequests"),
		})
		.from(standings)
		.innerJoin(users, eq(users.id, standings.driverId))
		.$dynamic();
}

/**
 * A page of the drivers: most miles first, then most fuel, then by name; former drivers only if
 * they have figures.
 * @param position a driver's id; for one without a standing, the first page after or the last one
 * before
 */
export function listStandings(
	build: Builder,
	window: StandingWindow,
	today: CalendarDate,
	size: number,
	position?: Position<string>,
) {
	const { lessMiles, lessFuel } = COLUMNS[window];
	const { past, order } = keyset(
		[lessMiles, lessFuel, standings.lastName, standings.firstName, standings.driverId],
		"asc",
		position && {
			way: position.way,
			values: sql`(select ${sql.raw(`${window}_less_miles, ${window}_less_fuel`)}, last_name, first_name, driver_id from standings
				where end_day = ${dayNumber(today)} and driver_id = ${position.cursor}
				union all select ${position.way === "after" ? sql`-9e15` : sql`1`}, 0, '', '', '' limit 1)`,
		},
	);
	return selectStandings(build, window)
		.where(and(eq(standings.endDay, dayNumber(today)), isListed(window), past))
		.orderBy(order)
		.limit(size);
}

/** The first drivers over the target, costliest first. */
export function listOverTarget(
	build: Builder,
	window: StandingWindow,
	today: CalendarDate,
	size = MAX_NAMED,
) {
	const { over, lessMiles } = COLUMNS[window];
	return selectStandings(build, window)
		.where(and(eq(standings.endDay, dayNumber(today)), sql.raw(`${window}_over is not null`)))
		.orderBy(
			asc(over),
			asc(lessMiles),
			asc(standings.lastName),
			asc(standings.firstName),
			asc(standings.driverId),
		)
		.limit(size);
}

/** Drivers with fuel and no miles, most fuel first. */
function listIdle(build: Builder, window: StandingWindow, today: CalendarDate) {
	const { lessMiles, lessFuel } = COLUMNS[window];
	return selectStandings(build, window)
		.where(
			and(
				eq(standings.endDay, dayNumber(today)),
				isListed(window),
				eq(lessMiles, 0),
				sql`${lessFuel} < 0`,
			),
		)
		.orderBy(
			asc(lessFuel),
			asc(standings.lastName),
			asc(standings.firstName),
			asc(standings.driverId),
		)
		.limit(MAX_NAMED);
}

/**
 * The drivers within the target with the lowest cost per mile; of equal ones, first who drove most.
 */
export function listMostEfficient(
	build: Builder,
	window: StandingWindow,
	today: CalendarDate,
	size = 1,
) {
	const { best, lessMiles, lessFuel } = COLUMNS[window];
	return selectStandings(build, window)
		.where(and(eq(standings.endDay, dayNumber(today)), sql.raw(`${window}_best is not null`)))
		.orderBy(
			asc(best),
			asc(lessMiles),
			asc(lessFuel),
			asc(standings.lastName),
			asc(standings.firstName),
			asc(standings.driverId),
		)
		.limit(size);
}

/**
 * The standings of some drivers.
 * @param ids a sub-select of them
 */
export function listStandingsOf(
	build: Builder,
	window: StandingWindow,
	today: CalendarDate,
	ids: SQL,
) {
	return selectStandings(build, window).where(
		and(eq(standings.endDay, dayNumber(today)), sql`${standings.driverId} in (${ids})`),
	);
}

/** Everything that the summary of a window needs, as statements of one batch. */
export const summaryStatements = (build: Builder, window: StandingWindow, today: CalendarDate) => ({
	set: selectSet(build, today),
	over: listOverTarget(build, window, today),
	idle: listIdle(build, window, today),
	best: listMostEfficient(build, window, today),
});
type SummaryStatements = ReturnType<typeof summaryStatements>;
type SummaryAnswers = {
	readonly [Name in keyof SummaryStatements]: StatementResult<SummaryStatements[Name]>;
};

/** The sums over all drivers of a window. */
export function summaryFrom(
	set: StandingSet,
	window: StandingWindow,
	{ over, idle, best }: Omit<SummaryAnswers, "set">,
): Summary {
	const figure = countersOf(set, window);
	const [excellent, good, poor] = TIERS;
	const driving = figure("Excellent") + figure("Good") + figure("Poor");
	return {
		miles: figure("Miles"),
		fuelCents: figure("FuelCents"),
		listed: figure("Listed"),
		tiers: {
			[excellent]: figure("Excellent"),
			[good]: figure("Good"),
			[poor]: figure("Poor"),
			none: figure("Listed") - driving,
		},
		over: { drivers: figure("Over"), cents: figure("OverCents"), first: over },
		idle: { drivers: figure("Idle"), cents: figure("IdleCents"), first: idle },
		best: best[0],
	};
}

type Counter =
	| "Miles"
	| "FuelCents"
	| "Listed"
	| "Excellent"
	| "Good"
	| "Poor"
	| "Over"
	| "OverCents"
	| "Idle"
	| "IdleCents";
const countersOf = (set: StandingSet, window: StandingWindow) => (name: Counter) =>
	set[`${window}${name}`];
