/** Figures read from rows and rollups; nothing here changes anything. */
import { and, between, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mileageLogs, mileageTotals } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";

/** The miles a driver has logged in a period, voided entries left out. */
export function milesSince(build: Builder, driverId: SQL<string>, { from, to }: Period) {
	return build
		.select({ miles: sql<number>`coalesce(sum(${mileageLogs.miles}), 0)` })
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), between(mileageLogs.drivenOn, from, to), isNull(mileageLogs.voidedAt)));
}

/** The whole fleet's miles of all time: one row, kept by the statements that change a trip. */
export function fleetTotals(build: Builder) {
	return build.select({ miles: mileageTotals.miles, trips: mileageTotals.trips }).from(mileageTotals).where(eq(mileageTotals.driverId, ""));
}
