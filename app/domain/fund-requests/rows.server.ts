/** Conditions and reads that the commands on fund requests share. */
import { and, between, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, payouts, users } from "../../db/schema.ts";
import { addDays } from "../../values/calendar-date.ts";
import { type Period, toMomentRange } from "../../values/period.ts";
import type { DriverContext } from "../context.ts";
import { DECIDER, DRIVER, deciders, PAYOUT } from "./people.server.ts";
import { THREAD } from "./thread.server.ts";

export type FundRequest = typeof fundRequests.$inferSelect;

/** What a request comes to, in cents: the approved amount once there is one, else what was asked. */
export const effectiveCents = sql<number>`coalesce(${fundRequests.approvedAmountCents}, ${fundRequests.amountCents})`;

/** Requests by id; all of them travel as one parameter. */
export const hasIdIn = (ids: readonly string[]): SQL =>
	sql`${fundRequests.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Requests of a period, in the fleet's time zone. */
export function isRequestedIn(period: Period, timeZone: string): SQL | undefined {
	const { createdAt, requestedOn } = fundRequests;
	// The index is in the order of time; a day more on either side, should the fleet's zone have
	// been another one.
	const { from, before } = toMomentRange(timeZone, {
		from: addDays(period.from, -1),
		to: addDays(period.to, 1),
	});
	return and(
		gte(createdAt, from),
		lt(createdAt, before),
		between(requestedOn, period.from, period.to),
	);
}

/** What every read of requests selects, with the people they concern. */
export const REQUEST_COLUMNS = {
	request: fundRequests,
	driver: DRIVER,
	decider: DECIDER,
	thread: THREAD,
	payout: PAYOUT,
};

/** Requests with the people they concern. */
export function requestsWithPeople(build: Builder, ids: readonly string[]) {
	return build
		.select(REQUEST_COLUMNS)
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(deciders, eq(deciders.id, fundRequests.decidedBy))
		.leftJoin(payouts, eq(payouts.id, fundRequests.payoutId))
		.where(hasIdIn(ids));
}

/** One of the driver's own requests. */
export function findOwnRequest({ db, user }: DriverContext, id: string) {
	return db.build
		.select()
		.from(fundRequests)
		.where(and(eq(fundRequests.id, id), eq(fundRequests.driverId, user.id)));
}

/** A request that its driver may still withdraw, alone or for a new one. */
export const isWithdrawable = (driverId: string): SQL =>
	sql`driver_id = ${driverId} and status = 'pending'`;

/**
 * One's own receipt that no other request carries.
 * @param replacesId the request being replaced: it gives its receipt up
 */
export const isUnattachedReceipt = (driverId: string, receiptId: string, replacesId?: string) =>
	sql<number>`exists (select 1 from receipts where id = ${receiptId} and owner_id = ${driverId}
		and not exists (select 1 from fund_requests
			where receipt_id = ${receiptId} and id is not ${replacesId ?? null}))`;
