/** Reads of payouts. Every query is a statement; every list is one page of a cursor. */
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import {
	auditEvents,
	fundRequests,
	payoutRequests,
	payouts,
	payoutTotals,
	users,
} from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Position } from "../../values/cursor.ts";
import { FLEET } from "../analytics/queries.server.ts";
import { effectiveCents } from "../fund-requests/rows.server.ts";
import type { ListSource } from "../kernel/list.server.ts";
import { PAYOUT_CHANGES } from "./changes.server.ts";
import { isIn, partOf } from "./filtered.server.ts";
import { billsDownloadedAt, payoutsWithRequests } from "./rows.server.ts";
import {
	type OwedCursor,
	type PayoutCursor,
	type PayoutFilters,
	payoutCursors,
	type UnpaidCursor,
} from "./search.ts";

const DRIVER = {
	firstName: users.firstName,
	lastName: users.lastName,
	driverNumber: users.driverNumber,
};

const payoutKeyset = (position: Position<PayoutCursor> | undefined) =>
	keyset(
		[payouts.number],
		"desc",
		position && { way: position.way, values: [position.cursor.number] },
	);

/**
 * One page of payouts, latest first, with what each paid: all of it, or a driver's part.
 * @param most how many of a filter's payouts are looked at; absent for all
 */
export function listPayouts(
	build: Builder,
	limit: number,
	position?: Position<PayoutCursor>,
	filters: PayoutFilters = {},
	most?: number,
) {
	const { past, order } = payoutKeyset(position);
	return build
		.select({ payout: payouts, partCents: partOf(filters).as("part_cents") })
		.from(payouts)
		.where(and(isIn(filters, most), past))
		.orderBy(order)
		.limit(limit);
}

/** The same whole, with their requests. */
export function listFullPayouts(
	build: Builder,
	limit: number,
	position?: Position<PayoutCursor>,
	filters: PayoutFilters = {},
) {
	const { past, order } = payoutKeyset(position);
	return payoutsWithRequests(build)
		.where(and(isIn(filters), past))
		.orderBy(order)
		.limit(limit);
}

/** The API's list. */
export const payoutList = (
	filters: PayoutFilters,
): ListSource<Awaited<ReturnType<typeof listFullPayouts>>[number], PayoutCursor> => ({
	cursors: payoutCursors,
	cursorOf: ({ payout }) => payout,
	idOf: ({ payout }) => payout.id,
	rows: (build, _, limit, cursor) =>
		listFullPayouts(build, limit, cursor && { way: "after", cursor }, filters),
	changes: {
		source: PAYOUT_CHANGES,
		rows: (build, ids) =>
			payoutsWithRequests(build).where(and(sql`${payouts.id} in ${ids}`, isIn(filters))),
	},
});

/** One payout with its requests. */
export function findPayout(build: Builder, id: string) {
	return payoutsWithRequests(build).where(eq(payouts.id, id));
}

/**
 * Canceled payouts that had requests of this one, and whose bills were downloaded before: they are
 * to be voided, or the requests are billed twice.
 */
export function listBilledBefore(build: Builder, id: string) {
	return payoutsWithRequests(build)
		.where(
			and(
				sql`${payouts.id} in (select earlier.payout_id from payout_requests as own
					join payout_requests as earlier on earlier.request_id = own.request_id
					where own.payout_id = ${id} and earlier.payout_id <> ${id})`,
				sql`${payouts.number} < (select this.number from payouts as this where this.id = ${id})`,
				eq(payouts.status, "cancelled"),
				sql`${billsDownloadedAt} is not null`,
			),
		)
		.orderBy(payouts.number);
}

/** A paid payout that includes one of this driver's requests. */
export function findOwnPayout(build: Builder, driverId: SQL<string> | string, id: string) {
	return build
		.select()
		.from(payouts)
		.where(
			and(
				eq(payouts.id, id),
				eq(payouts.status, "paid"),
				sql`exists (select 1 from payout_requests where payout_id = ${id}
					and driver_id = ${driverId})`,
			),
		);
}

/**
 * A payout's requests, by driver code.
 * @param driverId whose; absent for all of it
 */
export function selectPaidRequests(build: Builder, id: string, driverId?: SQL<string> | string) {
	return build
		.select({
			driverId: payoutRequests.driverId,
			requestId: payoutRequests.requestId,
			amountCents: payoutRequests.amountCents,
			requestNumber: fundRequests.number,
			type: fundRequests.type,
			description: fundRequests.description,
			requestedOn: fundRequests.requestedOn,
			...DRIVER,
		})
		.from(payoutRequests)
		.innerJoin(fundRequests, eq(fundRequests.id, payoutRequests.requestId))
		.innerJoin(users, eq(users.id, payoutRequests.driverId))
		.where(
			and(
				eq(payoutRequests.payoutId, id),
				driverId === undefined ? undefined : eq(payoutRequests.driverId, driverId),
			),
		);
}

/** Sums of approved requests by payout state, for the whole fleet or a driver. */
export function selectPayoutTotals(build: Builder, driverId: SQL<string> | string = FLEET) {
	return build.select().from(payoutTotals).where(eq(payoutTotals.driverId, driverId));
}

/** The last day on which a driver was paid, with the sum, and its payout if it is only one. */
export function selectLastPaid(build: Builder, driverId: Owner) {
	return build.all<{ paidOn: CalendarDate; cents: number; payoutId: string | null }>(sql`
		select paid_on as paidOn, sum(amount_cents) as cents,
			iif(min(payout_id) = max(payout_id), min(payout_id), null) as payoutId
		from payout_requests
		where driver_id = ${driverId} and paid_on = (select max(paid_on) from payout_requests
			where driver_id = ${driverId} and paid_on is not null)
		group by paid_on`);
}

/** What a driver was paid from a day on. */
export const selectPaidSince = (build: Builder, driverId: string, from: CalendarDate) =>
	build.all<{ cents: number }>(sql`select coalesce(sum(amount_cents), 0) as cents
		from payout_requests where driver_id = ${driverId} and paid_on >= ${from}`);

/** The payout with a number. */
export function findPayoutByNumber(build: Builder, number: number) {
	const { id, status, totalCents, driverCount } = payouts;
	return build
		.select({ id, number: payouts.number, status, totalCents, driverCount })
		.from(payouts)
		.where(eq(payouts.number, number));
}

/** One page of the drivers with unpaid requests in no payout, largest sum first. */
export function listOwed(build: Builder, limit: number, position?: Position<OwedCursor>) {
	const { readyCents, readyRequests, driverId } = payoutTotals;
	const { past, order } = keyset(
		[readyCents, driverId],
		"desc",
		position && {
			way: position.way,
			values: [position.cursor.readyCents, position.cursor.driverId],
		},
	);
	return build
		.select({ driverId, readyCents, readyRequests, ...DRIVER })
		.from(payoutTotals)
		.innerJoin(users, eq(users.id, driverId))
		.where(and(sql`ready_requests > 0 and ${driverId} <> ''`, past))
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

/** The last completed check of the books. */
export function selectLastCheck(build: Builder) {
	return build
		.select({ at: auditEvents.at, after: auditEvents.after })
		.from(auditEvents)
		.where(eq(auditEvents.action, "books.check"))
		.orderBy(desc(auditEvents.at), desc(auditEvents.id))
		.limit(1);
}
