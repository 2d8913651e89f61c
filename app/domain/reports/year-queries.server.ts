/** What the summary of a driver's year reads besides the totals. */
import { and, asc, between, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, mileageLogs, payouts } from "../../db/schema.ts";
import type { Period } from "../../values/period.ts";
import { effectiveCents, isRequestedIn } from "../fund-requests/rows.server.ts";
import type { RequestAmount } from "./year-summary.ts";

const { amountCents, status, type } = fundRequests;
const isWithdrawn = sql`${status} = 'withdrawn'`;
const isPaid = sql`exists (select 1 from ${payouts}
	where ${payouts.id} = ${fundRequests.payoutId} and ${payouts.status} = 'paid')`;
const count = (condition: SQL, name: string) => sql<number>`sum(${condition})`.as(name);
const sum = (condition: SQL, cents: SQL, name: string) =>
	sql<number>`sum(iif(${condition}, ${cents}, 0))`.as(name);

/** What each column of amounts counts: which value, of which requests. */
const AMOUNTS: Readonly<Record<RequestAmount, SQL.Aliased<number>>> = {
	asked: sum(sql`not ${isWithdrawn}`, sql`${amountCents}`, "asked"),
	approved: sum(sql`${status} = 'approved'`, effectiveCents, "approved"),
	paid: sum(isPaid, effectiveCents, "paid"),
};

/**
 * A driver's requests in a period, by type; a type without requests has no row.
 * @param timeZone the fleet's
 */
export function selectRequestSums(
	build: Builder,
	driverId: string,
	period: Period,
	timeZone: string,
) {
	return build
		.select({
			type,
			requests: count(sql`not ${isWithdrawn}`, "requests"),
			...AMOUNTS,
			withdrawnRequests: count(isWithdrawn, "withdrawnRequests"),
			withdrawnCents: sum(isWithdrawn, sql`${amountCents}`, "withdrawnCents"),
		})
		.from(fundRequests)
		.where(and(eq(fundRequests.driverId, driverId), isRequestedIn(period, timeZone)))
		.groupBy(type)
		.orderBy(asc(type));
}

/** How many trips of a driver in a period are voided, and their miles, archived ones included. */
export function selectVoidedSums(build: Builder, driverId: string, { from, to }: Period) {
	const { drivenOn, miles, voidedAt } = mileageLogs;
	const sumArchived = (column: string) => sql`coalesce((select sum(${sql.identifier(column)})
		from archived_days where archived_days.driver_id = ${driverId}
			and archived_days.driven_on between ${from} and ${to}), 0)`;
	return build
		.select({
			trips: sql<number>`count(*) + ${sumArchived("voided_trips")}`.as("trips"),
			miles: sql<number>`coalesce(sum(${miles}), 0) + ${sumArchived("voided_miles")}`.as(
				"voidedMiles",
			),
		})
		.from(mileageLogs)
		.where(
			and(eq(mileageLogs.driverId, driverId), between(drivenOn, from, to), isNotNull(voidedAt)),
		);
}
