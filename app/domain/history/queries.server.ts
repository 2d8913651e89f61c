/**
 * Reads of a driver's history: two lists, each in the order of its own index, to be merged by
 * `mergeHistory` in rules.ts.
 */
import { and, eq, gte, lt, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { type KeysetPosition, keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { preparedOf } from "../../db/prepared.server.ts";
import { fundRequests, mileageLogs, payouts } from "../../db/schema.ts";
import { addDays, type CalendarDate, dateIn, startOfDay } from "../../values/calendar-date.ts";
import { toMomentRange } from "../../values/period.ts";
import { PAYOUT } from "../fund-requests/people.server.ts";
import type { HistorySearch } from "./search.ts";

/** Moments to read, UTC milliseconds; `values` are a request's, and those past it follow. */
type RequestSpan = KeysetPosition & {
	readonly from?: number | undefined;
	readonly before?: number | undefined;
};
/** Calendar dates to read, both included; `values` are a trip's, and those past it follow. */
type LogSpan = KeysetPosition & {
	readonly from?: CalendarDate | undefined;
	readonly to?: CalendarDate | undefined;
};

/** A span, or placeholders for its bounds. */
type Bounds<Span extends KeysetPosition> = KeysetPosition & {
	[Bound in Exclude<keyof Span, keyof KeysetPosition>]?: Span[Bound] | Placeholder;
};

/** Which bounds a page has: its text depends on them, and on nothing else without a cursor. */
type Shape = {
	readonly way: "after" | "before";
	readonly hasFrom: boolean;
	readonly hasEnd: boolean;
};

const shapeOf = (way: Shape["way"], from: unknown, end: unknown): Shape => ({
	way,
	hasFrom: from !== undefined,
	hasEnd: end !== undefined,
});

/** A driver's requests, the newest first. */
export function listRequestsBack(
	build: Builder,
	driverId: Owner,
	limit: number,
	span: RequestSpan = { way: "after" },
) {
	const { values, from, before } = span;
	return values
		? requestsBack(build, driverId, limit, span)
		: newestRequestsOf(driverId, { limit, from, before }, shapeOf(span.way, from, before));
}

const newestRequestsOf = preparedOf(
	(build, driverId, value: (name: "limit" | "from" | "before") => Placeholder, shape?: Shape) =>
		requestsBack(build, driverId, value("limit"), {
			way: shape?.way ?? "after",
			from: shape?.hasFrom ? value("from") : undefined,
			before: shape?.hasEnd ? value("before") : undefined,
		}),
);

function requestsBack(
	build: Builder,
	driverId: SQL<string> | string,
	limit: number | Placeholder,
	span: Bounds<RequestSpan>,
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
	driverId: Owner,
	limit: number,
	span: LogSpan = { way: "after" },
) {
	const { values, from, to } = span;
	return values
		? logsBack(build, driverId, limit, span)
		: newestLogsOf(driverId, { limit, from, to }, shapeOf(span.way, from, to));
}

const newestLogsOf = preparedOf(
	(build, driverId, value: (name: "limit" | "from" | "to") => Placeholder, shape?: Shape) =>
		logsBack(build, driverId, value("limit"), {
			way: shape?.way ?? "after",
			from: shape?.hasFrom ? value("from") : undefined,
			to: shape?.hasEnd ? value("to") : undefined,
		}),
);

function logsBack(
	build: Builder,
	driverId: SQL<string> | string,
	limit: number | Placeholder,
	span: Bounds<LogSpan>,
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
	driverId: Owner,
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
