/** What an administrator looks through: flagged entries of the fleet, the entries of one driver. Every list is one page of a cursor. */
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { mileageLogs, users } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import type { LogCursor } from "./rules.ts";

const voiders = alias(users, "voiders");

/** Whose entry it is, and who voided it. D1 answers by column name, so the voider's are named anew. */
const PEOPLE = {
	driver: { firstName: users.firstName, lastName: users.lastName, driverNumber: users.driverNumber },
	voider: {
		firstName: sql<string | null>`${voiders.firstName}`.as("voider_first_name"),
		lastName: sql<string | null>`${voiders.lastName}`.as("voider_last_name"),
	},
};

const entriesWithPeople = (build: Builder) =>
	build
		.select({ log: mileageLogs, ...PEOPLE })
		.from(mileageLogs)
		.innerJoin(users, eq(users.id, mileageLogs.driverId))
		.leftJoin(voiders, eq(voiders.id, mileageLogs.voidedBy));

/** An entry with its people. */
export type ReviewedLog = Awaited<ReturnType<typeof oneEntry>>[number];

/** Literals, because a partial index is used only for the very words it was made with. */
const IS_FLAGGED = sql`voided_at is null and (gap_miles is not null or is_overlap = 1 or is_out_of_order = 1 or is_long = 1)`;

/**
 * Ids and drivers of flagged entries, the latest date first and on one date the highest reading, which is a driver's last trip of it. The
 * index is named: the planner would rather walk every entry of the days.
 */
function flaggedPage(column: SQL, { from, to }: Period, limit: number, after?: LogCursor): SQL {
	const until = after ? sql`(driven_on, end_miles, id) < (${after.drivenOn}, ${after.endMiles}, ${after.id})` : sql`driven_on <= ${to}`;
	return sql`select ${column} from mileage_logs indexed by mileage_flagged
		where ${IS_FLAGGED} and driven_on >= ${from} and ${until} order by driven_on desc, end_miles desc, id desc limit ${limit}`;
}

/** One page of the fleet's flagged entries, the latest first; voided ones are no longer in it. */
export function flaggedEntries(build: Builder, period: Period, limit: number, after?: LogCursor) {
	return entriesWithPeople(build)
		.where(sql`${mileageLogs.id} in (${flaggedPage(sql`id`, period, limit, after)})`)
		.orderBy(desc(mileageLogs.drivenOn), desc(mileageLogs.endMiles), desc(mileageLogs.id));
}

/** The driver of each flagged entry, the latest first. */
export function flaggedOwners(build: Builder, period: Period, limit: number) {
	return build.all<{ owner: string }>(flaggedPage(sql`driver_id as owner`, period, limit));
}

/** One page of a driver's entries of a window, the latest date first and on one date the highest reading; voided ones included. */
export function entriesOf(build: Builder, driverId: string, { from, to }: Period, limit: number, after?: LogCursor) {
	const { drivenOn, endMiles, id } = mileageLogs;
	// SQLite starts from one upper bound only: the cursor, which lies in the window, where there is one.
	const until = after
		? sql`(${drivenOn}, ${endMiles}, ${id}) < (${after.drivenOn}, ${after.endMiles}, ${after.id})`
		: sql`${drivenOn} <= ${to}`;
	return entriesWithPeople(build)
		.where(and(eq(mileageLogs.driverId, driverId), sql`${drivenOn} >= ${from}`, until))
		.orderBy(desc(drivenOn), desc(endMiles), desc(id))
		.limit(limit);
}

/** One entry of whichever driver. */
export function oneEntry(build: Builder, id: string) {
	return entriesWithPeople(build).where(eq(mileageLogs.id, id));
}
