/** Reads of what is in no payout, by driver and row by row. Every list is one page of a cursor. */
import { and, type Column, eq, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { fundRequests, payoutTotals, settlements, users } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import { effectiveCents } from "../fund-requests/rows.server.ts";
import type { OwedCursor, UnpaidCursor } from "./search.ts";

const DRIVER = {
	firstName: users.firstName,
	lastName: users.lastName,
	driverNumber: users.driverNumber,
};

/** What is in no payout, of both kinds, in the words of an index. */
const OWED = sql<number>`(ready_cents + ready_settled_cents)`;

/** One page of the drivers with unpaid requests or settlements in no payout, largest sum first. */
export function listOwed(build: Builder, limit: number, position?: Position<OwedCursor>) {
	const { readyRequests, readySettlements, driverId } = payoutTotals;
	const { past, order } = keyset(
		[OWED, driverId],
		"desc",
		position && {
			way: position.way,
			values: [position.cursor.readyCents, position.cursor.driverId],
		},
	);
	// SQLite finds an expression in an index only by itself, not among the values of a position.
	const sign = position?.way === "before" ? sql`>=` : sql`<=`;
	const bound = position && sql`${OWED} ${sign} ${position.cursor.readyCents}`;
	return build
		.select({ driverId, readyCents: OWED.as("owed"), readyRequests, readySettlements, ...DRIVER })
		.from(payoutTotals)
		.innerJoin(users, eq(users.id, driverId))
		.where(and(sql`ready_requests + ready_settlements > 0 and ${driverId} <> ''`, bound, past))
		.orderBy(order)
		.limit(limit);
}

/**
 * One page of the approved requests in no payout, oldest first.
 * @param driverId whose; absent for the whole fleet
 */
export function listUnpaid(
	build: Builder,
	driverId: string | undefined,
	limit: number,
	position?: Position<UnpaidCursor>,
) {
	const { createdAt, number } = fundRequests;
	const isOfAll = driverId === undefined;
	const place = position && {
		way: position.way,
		values: isOfAll
			? sql`(select max(place.created_at), ${position.cursor.number} from fund_requests as place
				where place.number = ${position.cursor.number})`
			: [position.cursor.number],
	};
	const { past, order } = keyset(isOfAll ? [createdAt, number] : [number], "asc", place);
	/** A column of a table that drizzle doesn't see in the query. */
	const raw = <C extends Column>(column: C) => sql<C["_"]["data"]>`${column}`.mapWith(column);
	return (
		build
			.select({
				id: raw(fundRequests.id),
				number: raw(fundRequests.number),
				driverId: raw(fundRequests.driverId),
				type: raw(fundRequests.type),
				requestedOn: raw(fundRequests.requestedOn),
				cents: effectiveCents.as("cents"),
				...DRIVER,
			})
			// Left to the planner, all approved requests of the fleet would be read.
			.from(
				isOfAll
					? sql`fund_requests indexed by requests_not_in_payout`
					: sql`fund_requests indexed by requests_unpaid_by_driver`,
			)
			.innerJoin(users, eq(users.id, fundRequests.driverId))
			.where(
				and(
					// In the words of the partial indexes, so that they are used.
					sql`fund_requests.status = 'approved' and fund_requests.payout_id is null`,
					isOfAll ? undefined : eq(fundRequests.driverId, driverId),
					past,
				),
			)
			.orderBy(order)
			.limit(limit)
	);
}

/**
 * One page of the published settlements in no payout with anything to pay, oldest first.
 * @param driverId whose; absent for the whole fleet
 */
export function listUnpaidSettlements(
	build: Builder,
	driverId: string | undefined,
	limit: number,
	position?: Position<UnpaidCursor>,
) {
	const { past, order } = keyset(
		[settlements.number],
		"asc",
		position && { way: position.way, values: [position.cursor.number] },
	);
	return build
		.select({
			id: settlements.id,
			number: settlements.number,
			driverId: settlements.driverId,
			weekFrom: settlements.weekFrom,
			cents: sql<number>`${settlements.resultCents}`.as("cents"),
			...DRIVER,
		})
		.from(settlements)
		.innerJoin(users, eq(users.id, settlements.driverId))
		.where(
			and(
				// In the words of the partial indexes, so that they are used.
				sql`settlements.status = 'published' and settlements.payout_id is null
					and settlements.result_cents > 0`,
				driverId === undefined ? undefined : eq(settlements.driverId, driverId),
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
}
