/** Reads of the mileage log. Every query is a statement; every list ends. */
import { and, desc, eq, gte, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mileageLogs, users } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { OWN_VOID_MS } from "./rules.ts";

/** Where the driver's last trip ended: what the next start is prefilled with. Voided entries do not count. */
export function lastEnding(build: Builder, driverId: SQL<string>) {
	return build
		.select({ endMiles: mileageLogs.endMiles, drivenOn: mileageLogs.drivenOn })
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), isNull(mileageLogs.voidedAt)))
		.orderBy(desc(mileageLogs.drivenOn), desc(mileageLogs.endMiles))
		.limit(1);
}

/** What a driver has logged in the days he can still mend, the newest first; at most 30. */
export function entriesToMend(build: Builder, driverId: SQL<string>, now: number) {
	return build
		.select()
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), gte(mileageLogs.createdAt, now - OWN_VOID_MS)))
		.orderBy(desc(mileageLogs.createdAt))
		.limit(30);
}

/** One of the driver's own entries. */
export function ownEntry(build: Builder, driverId: SQL<string>, id: string) {
	return build
		.select()
		.from(mileageLogs)
		.where(and(eq(mileageLogs.id, id), eq(mileageLogs.driverId, driverId)));
}

/** A row of the list: the entry with its driver's code. */
export type ListedLog = Awaited<ReturnType<typeof listLogs>>[number];
/** Where a page of the list goes on: after this row. */
export type LogCursor = { readonly drivenOn: CalendarDate; readonly id: string };

/**
 * One page of logs, the latest day first, voided entries included.
 * @param driverId whose; absent for the whole fleet
 * @param range calendar dates, both included; either may be open
 */
export function listLogs(
	build: Builder,
	driverId: SQL<string> | string | undefined,
	range: { readonly from?: CalendarDate | undefined; readonly to?: CalendarDate | undefined },
	limit: number,
	after?: LogCursor,
) {
	return build
		.select({ log: mileageLogs, driverNumber: users.driverNumber })
		.from(mileageLogs)
		.innerJoin(users, eq(users.id, mileageLogs.driverId))
		.where(
			and(
				driverId === undefined ? undefined : eq(mileageLogs.driverId, driverId),
				range.from && gte(mileageLogs.drivenOn, range.from),
				range.to && lte(mileageLogs.drivenOn, range.to),
				after &&
					or(lt(mileageLogs.drivenOn, after.drivenOn), and(eq(mileageLogs.drivenOn, after.drivenOn), sql`${mileageLogs.id} < ${after.id}`)),
			),
		)
		.orderBy(desc(mileageLogs.drivenOn), desc(mileageLogs.id))
		.limit(limit);
}
