/** Reads of a driver's history: two lists, each in the order of its own index, to be merged by `merged` in rules.ts. */
import { and, desc, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, mileageLogs } from "../../db/schema.ts";
import { type CalendarDate, dateIn, startOfDay } from "../../values/calendar-date.ts";
import { momentsOf } from "../../values/period.ts";
import type { HistoryView } from "./rules.ts";

/** Moments to read, UTC milliseconds; `after` is a request, and those behind it follow. */
type RequestSpan = {
	readonly from?: number;
	readonly before?: number;
	readonly after?: { readonly createdAt: number; readonly id: string };
};
/** Calendar dates to read, both included; `after` is a trip, and those behind it follow. */
type LogSpan = {
	readonly from?: CalendarDate;
	readonly to?: CalendarDate;
	readonly after?: {
		readonly date: CalendarDate;
		readonly endMiles: number;
		readonly createdAt: number;
		readonly id: string;
	};
};

/** A driver's requests, the newest first. */
export function requestsBack(build: Builder, driverId: SQL<string> | string, limit: number, { from, before, after }: RequestSpan = {}) {
	const { id, createdAt, type, amountCents, status } = fundRequests;
	return build
		.select({ id, createdAt, type, amountCents, status })
		.from(fundRequests)
		.where(
			and(
				eq(fundRequests.driverId, driverId),
				from === undefined ? undefined : gte(createdAt, from),
				before === undefined ? undefined : lt(createdAt, before),
				after && sql`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id})`,
			),
		)
		.orderBy(desc(createdAt), desc(id))
		.limit(limit);
}

/**
 * A driver's trips, the latest date first and on one date the highest reading; voided ones included. Of those that end alike, the one
 * recorded later comes first: a correction stands before what it corrects.
 */
export function logsBack(build: Builder, driverId: SQL<string> | string, limit: number, { from, to, after }: LogSpan = {}) {
	const { id, drivenOn, endMiles, createdAt, miles, voidedAt, voidedBy, voidReason, driverId: owner } = mileageLogs;
	/** Why an administrator voided it; a driver knows his own reasons. */
	const reason = sql<string | null>`iif(${voidedBy} <> ${owner}, ${voidReason}, null)`.as("reason");
	return build
		.select({ id, drivenOn, endMiles, createdAt, miles, voidedAt, reason })
		.from(mileageLogs)
		.where(
			and(
				eq(mileageLogs.driverId, driverId),
				from && gte(drivenOn, from),
				to && lte(drivenOn, to),
				after && sql`(${drivenOn}, ${endMiles}, ${createdAt}, ${id}) < (${after.date}, ${after.endMiles}, ${after.createdAt}, ${after.id})`,
			),
		)
		.orderBy(desc(drivenOn), desc(endMiles), desc(createdAt), desc(id))
		.limit(limit);
}

/**
 * The two statements that one page of the history is merged from; a list that the filter leaves out reads nothing.
 * @param limit lines of the page: no more than that of either list can be on it
 * @param timeZone the fleet's
 */
export function historyPage(
	build: Builder,
	driverId: SQL<string> | string,
	{ type, period, after }: Pick<HistoryView, "type" | "period" | "after">,
	timeZone: string,
	limit: number,
) {
	const moments = momentsOf(timeZone, period);
	// SQLite starts from one upper bound only: where there is a cursor, which lies in the window, it is the bound.
	// On one date the requests stand before the trips: after a request all trips of its date follow, after a trip none of that date's requests.
	const requests =
		after?.kind === "request"
			? { from: moments.from, after }
			: { from: moments.from, before: after ? startOfDay(timeZone, after.date) : moments.before };
	const logs =
		after?.kind === "mileage"
			? { from: period.from, after }
			: { from: period.from, to: after ? dateIn(timeZone, after.createdAt) : period.to };
	return {
		requests: requestsBack(build, driverId, type === "mileage" ? 0 : limit, requests),
		logs: logsBack(build, driverId, type === "requests" ? 0 : limit, logs),
	};
}
