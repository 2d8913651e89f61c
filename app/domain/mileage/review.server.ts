/**
 * What administrators review: the fleet's flagged entries, and one driver's entries. Every list is
 * one page of a cursor.
 */
import { and, type Column, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Builder, Database } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { mileageLogs, users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Position } from "../../values/cursor.ts";
import type { Period } from "../../values/period.ts";
import { SHOWN_COLUMNS, type ShownLog } from "./rows.server.ts";
import type { LogCursor } from "./search.ts";

const voiders = alias(users, "voiders");

/** The driver, and who voided it, whose columns are renamed: D1 returns rows by column name. */
const PEOPLE = {
	driver: {
		firstName: users.firstName,
		lastName: users.lastName,
		driverNumber: users.driverNumber,
	},
	voider: {
		firstName: sql<string | null>`${voiders.firstName}`.as("voider_first_name"),
		lastName: sql<string | null>`${voiders.lastName}`.as("voider_last_name"),
	},
};

const entriesWithPeople = (build: Builder) =>
	build
		.select({ log: SHOWN_COLUMNS, ...PEOPLE })
		.from(mileageLogs)
		.innerJoin(users, eq(users.id, mileageLogs.driverId))
		.leftJoin(voiders, eq(voiders.id, mileageLogs.voidedBy));

/** An entry with its people. */
export type ReviewedLog = Awaited<ReturnType<typeof findEntry>>[number];

/** Literals, because a partial index is used only for its exact words. */
const IS_FLAGGED = sql`voided_at is null and (gap_miles is not null or is_overlap = 1 or is_out_of_order = 1 or is_long = 1)`;

/** The position of an entry for SQL. */
const placeOf = (position: Position<LogCursor> | undefined) =>
	position && {
		way: position.way,
		values: [position.cursor.drivenOn, position.cursor.endMiles, position.cursor.id],
	};

/**
 * The dates of a page. SQLite uses one bound at each end: a position, which is within the window,
 * replaces the bound at its end.
 */
function datesOf(
	column: Column | SQL,
	{ from, to }: Period,
	position: Position<LogCursor> | undefined,
): SQL {
	if (position?.way === "after") return sql`${column} >= ${from}`;
	if (position?.way === "before") return sql`${column} <= ${to}`;
	return sql`${column} >= ${from} and ${column} <= ${to}`;
}

/**
 * Ids and drivers of flagged entries, latest date first and then highest reading, which is a
 * driver's last trip of the day. The index is named, because the planner would read every entry of
 * the days.
 */
function flaggedPage(
	column: SQL,
	period: Period,
	limit: number,
	position?: Position<LogCursor>,
): SQL {
	const { past, order } = keyset(
		[sql`driven_on`, sql`end_miles`, sql`id`],
		"desc",
		placeOf(position),
	);
	return sql`select ${column} from mileage_logs indexed by mileage_flagged
		where ${IS_FLAGGED} and ${datesOf(sql`driven_on`, period, position)}${past ? sql` and ${past}` : sql``} order by ${order} limit ${limit}`;
}

/** One page of the fleet's flagged entries, latest first, without voided ones. */
export function listFlaggedEntries(
	build: Builder,
	period: Period,
	limit: number,
	position?: Position<LogCursor>,
) {
	const { condition, order } = flaggedIn(period, limit, position);
	return entriesWithPeople(build).where(condition).orderBy(order);
}

/** The same page of the archive, which has no people. */
export function listArchivedFlagged(
	build: Builder,
	period: Period,
	limit: number,
	position?: Position<LogCursor>,
) {
	const { condition, order } = flaggedIn(period, limit, position);
	return build.select().from(mileageLogs).where(condition).orderBy(order);
}

function flaggedIn(period: Period, limit: number, position: Position<LogCursor> | undefined) {
	const { drivenOn, endMiles, id } = mileageLogs;
	return {
		condition: sql`${id} in (${flaggedPage(sql`id`, period, limit, position)})`,
		order: keyset([drivenOn, endMiles, id], "desc", placeOf(position)).order,
	};
}

/** The driver of each flagged entry, latest first. */
export function listFlaggedDriverIds(build: Builder, period: Period, limit: number) {
	const columns = sql`driver_id as owner, driven_on as drivenOn, end_miles as endMiles, id`;
	return build.all<FlaggedOwner>(flaggedPage(columns, period, limit));
}
type FlaggedOwner = {
	readonly owner: string;
	readonly drivenOn: CalendarDate;
	readonly endMiles: number;
	readonly id: string;
};

/** The same drivers, for use in another statement. */
export const flaggedDriverIds = (period: Period, limit: number): SQL =>
	flaggedPage(sql`driver_id`, period, limit);

/** How many of the fleet's entries in a period are flagged, up to a limit. */
export function countFlaggedEntries(build: Builder, period: Period, limit: number) {
	return build.all<{ count: number }>(
		sql`select count(*) as count from (${flaggedPage(sql`id`, period, limit)})`,
	);
}

/**
 * One page of a driver's entries in a window, latest date first and then highest reading, including
 * voided ones.
 */
export function listDriverEntries(
	build: Builder,
	driverId: string,
	period: Period,
	limit: number,
	position?: Position<LogCursor>,
) {
	const { condition, order } = driverKeyset(driverId, period, position);
	return entriesWithPeople(build).where(condition).orderBy(order).limit(limit);
}

/** The same page of the archive, which has no people. */
export function listArchivedEntries(
	build: Builder,
	driverId: string,
	period: Period,
	limit: number,
	position?: Position<LogCursor>,
) {
	const { condition, order } = driverKeyset(driverId, period, position);
	return build.select().from(mileageLogs).where(condition).orderBy(order).limit(limit);
}

function driverKeyset(driverId: string, period: Period, position: Position<LogCursor> | undefined) {
	const { drivenOn, endMiles, id } = mileageLogs;
	const { past, order } = keyset([drivenOn, endMiles, id], "desc", placeOf(position));
	return {
		condition: and(eq(mileageLogs.driverId, driverId), datesOf(drivenOn, period, position), past),
		order,
	};
}

/** Archived entries with their people: voided ones were voided by their driver. */
export async function withPeople(db: Database, logs: readonly ShownLog[]): Promise<ReviewedLog[]> {
	if (logs.length === 0) return [];
	const ids = JSON.stringify([...new Set(logs.map(({ driverId }) => driverId))]);
	const { people } = await db.batch({
		people: db.build
			.select({ id: users.id, ...PEOPLE.driver })
			.from(users)
			.where(sql`${users.id} in (select value from json_each(${ids}))`),
	});
	const known = new Map(people.map(({ id, ...person }) => [id, person]));
	return logs.flatMap((log) => {
		const driver = known.get(log.driverId);
		return driver ? [{ log, driver, voider: driver }] : [];
	});
}

/** One entry of any driver. */
export function findEntry(build: Builder, id: string) {
	return entriesWithPeople(build).where(eq(mileageLogs.id, id));
}
