/**
 * Reads of a driver's history: two lists, each in the order of its own index, to be merged by
 * `mergeHistory` in rules.ts.
 */
import { and, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { type KeysetPosition, keyset } from "../../db/keyset.ts";
import { fundRequests, mileageLogs, payouts } from "../../db/schema.ts";
import { addDays, type CalendarDate, dateIn, startOfDay } from "../../values/calendar-date.ts";
import { toMomentRange } from "../../values/period.ts";
import { PAYOUT } from "../fund-requests/people.server.ts";
import type { HistorySearch } from "./search.ts";

/** Moments to read, UTC milliseconds; `values` are a request's, and those past it follow. */
type RequestSpan = KeysetPosition & { readonly from?: number; readonly before?: number };
/** Calendar dates to read, both included; `values` are a trip's, and those past it follow. */
type LogSpan = KeysetPosition & { readonly from?: CalendarDate; readonly to?: CalendarDate };

/** A driver's requests, the newest first. */
export function listRequestsBack(
	build: Builder,
	driverId: SQL<string> | string,
	limit: number,
	span: RequestSpan = { way: "after" },
) {
	const { id, createdAt, type, amountCents, approvedAmountCents, status, question } = fundRequests;
	const { past, order } = keyset([createdAt, id], "desc", span);
	return build
		.select({
			id,
			createdAt,
			type,
			amountCents,
			approvedAmountCents,
			status,
			question,
			payout: PAYOUT,
		})
		.from(fundRequests)
		.leftJoin(payouts, eq(payouts.id, fundRequests.payoutId))
		.where(
			and(
				eq(fundRequests.driverId, driverId),
				span.from === undefined ? undefined : gte(createdAt, span.from),
				span.before === undefined ? undefined : lt(createdAt, span.before),
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
}

/**
 * A driver's trips, the latest date first and on one date the highest reading; voided ones
 * included. Of those that end alike, the one recorded later comes first: a correction stands before
 * what it corrects.
 */
export function listLogsBack(
	build: Builder,
	driverId: SQL<string> | string,
	limit: number,
	span: LogSpan = { way: "after" },
) {
	const {
		id,
		drivenOn,
		endMiles,
		createdAt,
		miles,
		voidedAt,
		voidedBy,
		voidReason,
		driverId: owner,
	} = mileageLogs;
	const { past, order } = keyset([drivenOn, endMiles, createdAt, id], "desc", span);
	/** Why an administrator voided it; drivers know their own reasons. */
	const reason = sql<string | null>`iif(${voidedBy} <> ${owner}, ${voidReason}, null)`.as("reason");
	return build
		.select({ id, drivenOn, endMiles, createdAt, miles, voidedAt, reason })
		.from(mileageLogs)
		.where(
			and(
				eq(mileageLogs.driverId, driverId),
				span.from && gte(drivenOn, span.from),
				span.to && lte(drivenOn, span.to),
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
}

/**
 * What a page reads of each list. SQLite starts from one bound at either end: where there is a
 * cursor, which lies in the window, it is the bound at its end. On one date the requests stand
 * before the trips.
 */
function spansOf(
	{ period, position }: Pick<HistorySearch, "period" | "position">,
	timeZone: string,
): { requests: RequestSpan; logs: LogSpan } {
	const { from, before } = toMomentRange(timeZone, period);
	if (!position)
		return {
			requests: { way: "after", from, before },
			logs: { way: "after", from: period.from, to: period.to },
		};
	const { way, cursor } = position;
	const isRequest = cursor.kind === "request";
	const date = isRequest ? dateIn(timeZone, cursor.createdAt) : cursor.date;
	const request = isRequest ? [cursor.createdAt, cursor.id] : undefined;
	const trip = isRequest ? undefined : [cursor.date, cursor.endMiles, cursor.createdAt, cursor.id];
	if (way === "after")
		return {
			requests: request
				? { way, values: request, from }
				: { way, from, before: startOfDay(timeZone, date) },
			logs: trip ? { way, values: trip, from: period.from } : { way, from: period.from, to: date },
		};
	return {
		requests: request
			? { way, values: request, before }
			: { way, from: startOfDay(timeZone, date), before },
		logs: trip
			? { way, values: trip, to: period.to }
			: { way, from: addDays(date, 1), to: period.to },
	};
}

/**
 * The two statements that one page of the history is merged from; a list that the filter leaves out
 * reads nothing.
 * @param limit lines of the page: no more than that of either list can be on it
 * @param timeZone the fleet's
 */
export function historyPage(
	build: Builder,
	driverId: SQL<string> | string,
	search: Pick<HistorySearch, "type" | "period" | "position">,
	timeZone: string,
	limit: number,
) {
	const { requests, logs } = spansOf(search, timeZone);
	return {
		requests: listRequestsBack(build, driverId, search.type === "mileage" ? 0 : limit, requests),
		logs: listLogsBack(build, driverId, search.type === "requests" ? 0 : limit, logs),
	};
}
