/** Figures read from rows and rollups; nothing here changes anything. */
import { and, between, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, mileageLogs, mileageTotals } from "../../db/schema.ts";
import { momentsOf, type Period } from "../../values/period.ts";

/** The miles a driver has logged in a period, voided entries left out. */
export function milesSince(build: Builder, driverId: SQL<string>, { from, to }: Period) {
	return build
		.select({ miles: sql<number>`coalesce(sum(${mileageLogs.miles}), 0)` })
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), between(mileageLogs.drivenOn, from, to), isNull(mileageLogs.voidedAt)));
}

/** How many of a driver's requests wait for a decision. */
export function pendingRequestsOf(build: Builder, driverId: SQL<string>) {
	return build
		.select({ count: sql<number>`count(*)` })
		.from(fundRequests)
		.where(and(eq(fundRequests.driverId, driverId), eq(fundRequests.status, "pending")));
}

/**
 * The cents of a driver's approved requests that were created in a period.
 * @param timeZone the fleet's: a request counts by its date there
 */
export function approvedCentsOf(build: Builder, driverId: SQL<string>, period: Period, timeZone: string) {
	const { from, before } = momentsOf(timeZone, period);
	return build
		.select({ cents: sql<number>`coalesce(sum(${fundRequests.amountCents}), 0)` })
		.from(fundRequests)
		.where(
			and(
				eq(fundRequests.driverId, driverId),
				eq(fundRequests.status, "approved"),
				gte(fundRequests.createdAt, from),
				lt(fundRequests.createdAt, before),
			),
		);
}

/** The whole fleet's miles of all time: one row, kept by the statements that change a trip. */
export function fleetTotals(build: Builder) {
	return build.select({ miles: mileageTotals.miles, trips: mileageTotals.trips }).from(mileageTotals).where(eq(mileageTotals.driverId, ""));
}
