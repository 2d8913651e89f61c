/** Reads of the mileage log. Every query is a statement; every list is bounded. */
import { and, desc, eq, gte, isNull, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import { mileageLogs, users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Position } from "../../values/cursor.ts";
import { DRIVER_VOID_WINDOW_MS } from "../kernel/time-limits.ts";
import { SHOWN_COLUMNS } from "./rows.server.ts";
import type { LogCursor, ReceivedCursor } from "./search.ts";

/** The end of the driver's last trip, which prefills the next start. Voided entries don't count. */
export const selectLastEnding = (driverId: Owner) => lastEndingOf(driverId, {});

const lastEndingOf = prepareForOwner((build, driverId) =>
	build
		.select({ endMiles: mileageLogs.endMiles, drivenOn: mileageLogs.drivenOn })
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), isNull(mileageLogs.voidedAt)))
		.orderBy(desc(mileageLogs.drivenOn), desc(mileageLogs.endMiles))
		.limit(1),
);

/** How many of the latest trips with a purpose are read for the last different ones. */
const PURPOSES_READ = 50;

/** The last five different purposes of the driver's trips, latest first. */
export const selectPurposes = prepareForOwner((build, driverId) =>
	build.all<{ purpose: string }>(sql`select purpose from (
			select purpose, created_at from mileage_logs indexed by mileage_purposes
			where driver_id = ${driverId} and purpose is not null and voided_at is null
			order by created_at desc limit ${sql.raw(String(PURPOSES_READ))})
		group by purpose order by max(created_at) desc limit 5`),
);

/** Entries on a page of those that can still be edited. */
export const EDITABLE_PAGE = 30;

/**
 * One page of the entries the driver can still edit, last received first, plus one that shows
 * whether there is another page.
 */
export function editableEntries(
	build: Builder,
	driverId: Owner,
	now: number,
	position?: Position<ReceivedCursor>,
) {
	const since = now - DRIVER_VOID_WINDOW_MS;
	return position
		? entriesSince(build, driverId, since, position)
		: latestSince(driverId, { since });
}

const latestSince = prepareForOwner((build, driverId, value: (name: "since") => Placeholder) =>
	entriesSince(build, driverId, value("since")),
);

function entriesSince(
	build: Builder,
	driverId: Owner,
	since: number | Placeholder,
	position?: Position<ReceivedCursor>,
) {
	const { createdAt, id } = mileageLogs;
	const place = position && {
		way: position.way,
		values: [position.cursor.createdAt, position.cursor.id],
	};
	const page = keyset([createdAt, id], "desc", place);
	return build
		.select(SHOWN_COLUMNS)
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), gte(createdAt, since), page.past))
		.orderBy(page.order)
		.limit(EDITABLE_PAGE + 1);
}

/** One of the driver's own entries. */
export function findOwnEntry(build: Builder, driverId: SQL<string> | string, id: string) {
	return build
		.select()
		.from(mileageLogs)
		.where(and(eq(mileageLogs.id, id), eq(mileageLogs.driverId, driverId)));
}

/** First and last date of a list; either may be open. */
export type DateRange = {
	readonly from?: CalendarDate | undefined;
	readonly to?: CalendarDate | undefined;
};

/** A row of the list: the entry with its driver's code. */
export type ListedLog = Awaited<ReturnType<typeof listLogs>>[number];

/**
 * One page of logs, latest day first, and for one driver and day highest reading first, including
 * voided entries. A driver's page uses the order of `mileage_by_driver_day`, the fleet's that of
 * `mileage_by_day`, so that nothing is sorted.
 * @param driverId whose; absent for the whole fleet
 * @param range calendar dates, both included; either may be open
 * @param after a row of the range
 */
export function listLogs(
	build: Builder,
	driverId: Owner | undefined,
	range: DateRange,
	limit: number,
	after?: LogCursor,
) {
	const isPrepared = driverId !== undefined && !range.from && !range.to && !after;
	return isPrepared
		? latestLogsOf(driverId, { limit })
		: logsOf(build, driverId, range, limit, after);
}

const latestLogsOf = prepareForOwner((build, driverId, value: (name: "limit") => Placeholder) =>
	logsOf(build, driverId, {}, value("limit")),
);

function logsOf(
	build: Builder,
	driverId: SQL<string> | string | undefined,
	range: DateRange,
	limit: number | Placeholder,
	after?: LogCursor,
) {
	const { condition, order } = pageOf(driverId, range, after);
	return selectListed(build)
		.where(condition)
		.orderBy(...order)
		.limit(limit);
}

const selectListed = (build: Builder) =>
	build
		.select({ log: SHOWN_COLUMNS, driverNumber: users.driverNumber })
		.from(mileageLogs)
		.innerJoin(users, eq(users.id, mileageLogs.driverId));

const isWithin = ({ from, to }: DateRange) =>
	and(from && gte(mileageLogs.drivenOn, from), to && lte(mileageLogs.drivenOn, to));

/** The logs of a range among those with some ids. */
export const logsWithIds = (build: Builder, ids: SQL, range: DateRange) =>
	selectListed(build).where(and(sql`${mileageLogs.id} in ${ids}`, isWithin(range)));

/** The archive's, which has no drivers. */
export const archivedLogsWithIds = (
	build: Builder,
	ids: string,
	driverId: string | undefined,
	range: DateRange,
) =>
	build
		.select()
		.from(mileageLogs)
		.where(
			and(
				sql`${mileageLogs.id} in (select value from json_each(${ids}))`,
				driverId === undefined ? undefined : eq(mileageLogs.driverId, driverId),
				isWithin(range),
			),
		);

/** The same page of the archive, which has no drivers. */
export function listArchivedLogs(
	build: Builder,
	driverId: string | undefined,
	range: DateRange,
	limit: number,
	after?: LogCursor,
) {
	const { condition, order } = pageOf(driverId, range, after);
	return build
		.select()
		.from(mileageLogs)
		.where(condition)
		.orderBy(...order)
		.limit(limit);
}

function pageOf(
	driverId: SQL<string> | string | undefined,
	range: DateRange,
	after: LogCursor | undefined,
) {
	const { drivenOn, endMiles, id } = mileageLogs;
	const isOfDriver = driverId !== undefined;
	const past =
		after &&
		(isOfDriver
			? sql`(${drivenOn}, ${endMiles}, ${id}) < (${after.drivenOn}, ${after.endMiles}, ${after.id})`
			: sql`(${drivenOn}, ${id}) < (${after.drivenOn}, ${after.id})`);
	const condition = and(
		isOfDriver ? eq(mileageLogs.driverId, driverId) : undefined,
		range.from && gte(drivenOn, range.from),
		// SQLite uses only one upper bound: the cursor, if there is one, which is within the range.
		past ?? (range.to && lte(drivenOn, range.to)),
	);
	return { condition, order: [desc(drivenOn), ...(isOfDriver ? [desc(endMiles)] : []), desc(id)] };
}

/** The codes of some drivers. */
export const driverNumbersOf = (build: Builder, ids: readonly string[]) =>
	build
		.select({ id: users.id, driverNumber: users.driverNumber })
		.from(users)
		.where(sql`${users.id} in (select value from json_each(${JSON.stringify(ids)}))`);
