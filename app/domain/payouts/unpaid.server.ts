/** Reads of what is in no payout, by driver and row by row. Every list is one page of a cursor. */
import { and, eq, sql } from "drizzle-orm";
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

/** What is in no payout, of both kinds; an index has the same words. */
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
	return build
		.select({ driverId, readyCents: OWED.as("owed"), readyRequests, readySettlements, ...DRIVER })
		.from(payoutTotals)
		.innerJoin(users, eq(users.id, driverId))
		.where(and(sql`ready_requests + ready_settlements > 0 and ${driverId} <> ''`, past))
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
	const { past, order } = keyset(
		[fundRequests.number],
		"asc",
		position && { way: position.way, values: [position.cursor.number] },
	);
	return build
		.select({
			id: fundRequests.id,
			number: fundRequests.number,
			driverId: fundRequests.driverId,
			type: fundRequests.type,
			requestedOn: fundRequests.requestedOn,
			cents: effectiveCents.as("cents"),
			...DRIVER,
		})
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.where(
			and(
				// In the words of the partial indexes, so that they are used.
				sql`fund_requests.status = 'approved' and fund_requests.payout_id is null`,
				driverId === undefined ? undefined : eq(fundRequests.driverId, driverId),
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
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
