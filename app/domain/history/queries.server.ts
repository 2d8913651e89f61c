/**
 * Reads a driver's history: two lists, each in the order of its own index, which `mergeHistory` in
 * rules.ts merges.
 */
import {
	and,
	eq,
	getTableColumns,
	gte,
	lt,
	lte,
	type Placeholder,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Builder, Statement } from "../../db/client.server.ts";
import { type KeysetPosition, keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import { fundRequests, mileageLogs, payouts } from "../../db/schema.ts";
import { addDays, type CalendarDate, dateIn, startOfDay } from "../../values/calendar-date.ts";
import { toMomentRange } from "../../values/period.ts";
import { PAYOUT } from "../fund-requests/people.server.ts";
import { REQUEST } from "../fund-requests/record.ts";
import { placeOf } from "../fund-requests/rows.server.ts";
import { pick } from "../kernel/record.ts";
import { TRIP } from "../mileage/record.ts";
import type { HistorySearch } from "./search.ts";

/** The rows to read: from a position, within bounds that may be open. */
type Span<Bound> = KeysetPosition & {
	readonly from?: Bound | undefined;
	readonly end?: Bound | undefined;
};
/** UTC milliseconds, `end` excluded. */
type RequestSpan = Span<number>;
/** Calendar dates, `end` included. */
type LogSpan = Span<CalendarDate>;

/** What the text of a page without a cursor depends on. */
type Shape = {
	readonly way: "after" | "before";
	readonly hasFrom: boolean;
	readonly hasEnd: boolean;
};

/**
 * A list whose text is kept for pages without a cursor. Pages from a cursor are rarer, and each is
 * built anew.
 */
function keepNewest<Bound, S extends Statement>(
	list: (
		build: Builder,
		driverId: SQL<string> | string,
		limit: number | Placeholder,
		span: Span<Bound | Placeholder>,
	) => S,
) {
	const newest = prepareForOwner(
		(build, driverId, value: (name: "limit" | "from" | "end") => Placeholder, shape?: Shape) =>
			list(build, driverId, value("limit"), {
				way: shape?.way ?? "after",
				from: shape?.hasFrom ? value("from") : undefined,
				end: shape?.hasEnd ? value("end") : undefined,
			}),
	);
	return (
		build: Builder,
		driverId: Owner,
		limit: number,
		{ way, values, from, end }: Span<Bound> = { way: "after" },
	): S =>
		values
			? list(build, driverId, limit, { way, values, from, end })
			: newest(
					driverId,
					{ limit, from, end },
					{ way, hasFrom: from !== undefined, hasEnd: end !== undefined },
				);
}

/** A driver's requests, newest first. */
export const listRequestsBack = keepNewest(requestsBack);

function requestsBack(
	build: Builder,
	driverId: SQL<string> | string,
	limit: number | Placeholder,
	span: Span<number | Placeholder>,
) {
	const { createdAt, number } = fundRequests;
	const { past, order } = keyset([createdAt, number], "desc", span);
	return build
		.select({ ...pick(getTableColumns(fundRequests), REQUEST, "history"), payout: PAYOUT })
		.from(fundRequests)
		.leftJoin(payouts, eq(payouts.id, fundRequests.payoutId))
		.where(
			and(
				eq(fundRequests.driverId, driverId),
				span.from === undefined ? undefined : gte(createdAt, span.from),
				span.end === undefined ? undefined : lt(createdAt, span.end),
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
}

/**
 * A driver's trips, by date and then by reading, highest first; voided ones included. Of trips with
 * the same end, the one recorded later comes first, so that a correction precedes what it corrects.
 */
export const listLogsBack = keepNewest(logsBack);

function logsBack(
	build: Builder,
	driverId: SQL<string> | string,
	limit: number | Placeholder,
	span: Span<CalendarDate | Placeholder>,
) {
	const { id, drivenOn, endMiles, createdAt, voidedBy, voidReason, driverId: owner } = mileageLogs;
	const { past, order } = keyset([drivenOn, endMiles, createdAt, id], "desc", span);
	/** Why an administrator voided it; drivers know their own reasons. */
	const reason = sql<string | null>`iif(${voidedBy} <> ${owner}, ${voidReason}, null)`.as("reason");
	return build
		.select({ ...pick(getTableColumns(mileageLogs), TRIP, "history"), reason })
		.from(mileageLogs)
		.where(
			and(
				eq(mileageLogs.driverId, driverId),
				span.from && gte(drivenOn, span.from),
				span.end && lte(drivenOn, span.end),
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
}

/**
 * What a page reads of each list. SQLite uses one bound at each end: a cursor, which is within the
 * window, replaces the bound at its end. On the same date requests come before trips.
 */
function spansOf(
	{ period, position }: Pick<HistorySearch, "period" | "position">,
	timeZone: string,
): { requests: RequestSpan; logs: LogSpan } {
	const { from, before } = toMomentRange(timeZone, period);
	if (!position)
		return {
			requests: { way: "after", from, end: before },
			logs: { way: "after", from: period.from, end: period.to },
		};
	const { way, cursor } = position;
	const isRequest = cursor.kind === "request";
	const date = isRequest ? dateIn(timeZone, cursor.createdAt) : cursor.date;
	const request = isRequest ? placeOf(cursor) : undefined;
	const trip = isRequest ? undefined : [cursor.date, cursor.endMiles, cursor.createdAt, cursor.id];
	if (way === "after")
		return {
			requests: request
				? { way, values: request, from }
				: { way, from, end: startOfDay(timeZone, date) },
			logs: trip ? { way, values: trip, from: period.from } : { way, from: period.from, end: date },
		};
	return {
		requests: request
			? { way, values: request, end: before }
			: { way, from: startOfDay(timeZone, date), end: before },
		logs: trip
			? { way, values: trip, end: period.to }
			: { way, from: addDays(date, 1), end: period.to },
	};
}

/**
 * The two statements that a page of the history is merged from; a list that the filter leaves out
 * reads nothing.
 * @param limit lines per page, which is also the most that either list can contribute
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

/** How many approved requests of a window are added up. */
export const MAX_ADDED = 500;

/** What was paid of a window's approved requests, and what is to be paid. */
export function selectPaid(
	build: Builder,
	driverId: Owner,
	{ type, period }: Pick<HistorySearch, "type" | "period">,
	timeZone: string,
) {
	const { from, before } = toMomentRange(timeZone, period);
	const limit = type === "mileage" ? 0 : MAX_ADDED + 1;
	return build.all<{ requests: number; paid: number; paidCents: number; cents: number }>(sql`
		select count(*) as requests, coalesce(sum(isPaid), 0) as paid,
			coalesce(sum(cents), 0) as cents, coalesce(sum(cents * isPaid), 0) as paidCents
		from (select coalesce(approved_amount_cents, amount_cents) as cents,
				coalesce((select status = 'paid' from payouts where id = payout_id), 0) as isPaid
			from fund_requests where driver_id = ${driverId} and status = 'approved'
				and created_at >= ${from} and created_at < ${before} limit ${limit})`);
}
