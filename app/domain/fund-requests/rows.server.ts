/** Conditions and reads that the commands on fund requests share. */
import { and, between, eq, getTableColumns, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { packed } from "../../db/packed.server.ts";
import { fundRequests, payouts, users } from "../../db/schema.ts";
import { addDays } from "../../values/calendar-date.ts";
import { type Period, toMomentRange } from "../../values/period.ts";
import type { DriverContext } from "../kernel/context.ts";
import { pick } from "../kernel/record.ts";
import { THREADS, threadOf } from "../messages/thread.server.ts";
import { DECIDER, DRIVER, deciders, PAYOUT } from "./people.server.ts";
import { REQUEST } from "./record.ts";

export type FundRequest = typeof fundRequests.$inferSelect;

/** A request's effective amount in cents: the approved one, or else the requested one. */
export const effectiveCents = sql<number>`coalesce(${fundRequests.approvedAmountCents}, ${fundRequests.amountCents})`;

/**
 * A request's place by time or by amount. The last column of each list is the number, which takes
 * three bytes of an index where the id takes 36; a position in a URL names the id. The maximum of
 * one row lets SQLite use all columns of the place.
 */
export const placeOf = ({ createdAt, id }: { createdAt: number; id: string }, cents?: number) =>
	sql`(select ${cents === undefined ? sql`` : sql`${cents}, `}${createdAt}, max(place.number)
		from fund_requests as place where place.id = ${id})`;

/** Whether a request is late, as `isLateRequest` in rules.ts; in the words of `requests_late`. */
export const IS_LATE = sql`(julianday(requested_on) - julianday(spent_on) > 60)`;

/** Requests by id, all in one parameter. */
export const hasIdIn = (ids: readonly string[]): SQL =>
	sql`${fundRequests.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Requests of a period, in the fleet's time zone. */
export function isRequestedIn(period: Period, timeZone: string): SQL | undefined {
	const { createdAt, requestedOn } = fundRequests;
	// The index is in the order of time; a day more on either side allows for a change of the fleet's
	// time zone.
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

const ALL = getTableColumns(fundRequests);
const shown = pick(ALL, REQUEST, "list");
/** A request without the columns that only its commands need. */
export type ShownRequest = Pick<FundRequest, keyof typeof shown>;

/**
 * The columns of every read of requests, with their people. Columns that no screen shows are left
 * out, since D1 serializes and parses every column of every row as JSON.
 */
export const REQUEST_COLUMNS = {
	request: shown,
	driver: DRIVER,
	decider: DECIDER,
	thread: threadOf(THREADS.request),
	payout: PAYOUT,
};

/** The columns of a row in the administrators' list, which shows the rest once it is opened. */
export const ROW_COLUMNS = {
	request: packed(pick(ALL, REQUEST, "row")),
	driver: DRIVER,
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

/** A request that its driver may still withdraw, alone or for a replacement. */
export const isWithdrawable = (driverId: string): SQL =>
	sql`driver_id = ${driverId} and status = 'pending'`;

/**
 * One's own receipt that isn't attached to a charge or another request.
 * @param replacesId the request being replaced, which hands over its receipt
 */
export const isUnattachedReceipt = (driverId: string, receiptId: string, replacesId?: string) =>
	sql<number>`exists (select 1 from receipts where id = ${receiptId} and owner_id = ${driverId}
		and not exists (select 1 from charges where receipt_id = ${receiptId})
		and not exists (select 1 from fund_requests
			where receipt_id = ${receiptId} and id is not ${replacesId ?? null}))`;
