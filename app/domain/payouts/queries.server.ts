/** Reads of payouts. Every query is a statement; every list is one page of a cursor. */
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import {
	auditEvents,
	fundRequests,
	payoutRequests,
	payoutSettlements,
	payouts,
	payoutTotals,
	settlements,
	users,
} from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Position } from "../../values/cursor.ts";
import { FLEET } from "../analytics/queries.server.ts";
import type { ListSource } from "../kernel/list.server.ts";
import { PAYOUT_CHANGES } from "./changes.server.ts";
import { isIn, partOf } from "./filtered.server.ts";
import { billsDownloadedAt, payoutsWithParts } from "./rows.server.ts";
import { type PayoutCursor, type PayoutFilters, payoutCursors } from "./search.ts";

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
 * One page of payouts, latest first, with what each is for (`partOf`).
 * @param most how many of a filter's payouts are looked at; absent for all
 */
export function listPayouts(
	build: Builder,
	limit: number,
	position: Position<PayoutCursor> | undefined,
	filters: PayoutFilters,
	most?: number,
) {
	const { past, order } = payoutKeyset(position);
	const { partCents, drivers, requests, settlements } = partOf(filters);
	return build
		.select({
			payout: payouts,
			partCents: partCents.as("part_cents"),
			drivers: drivers.as("part_drivers"),
			requests: requests.as("part_requests"),
			settlements: settlements.as("part_settlements"),
		})
		.from(payouts)
		.where(and(isIn(filters, most), past))
		.orderBy(order)
		.limit(limit);
}

/** Payouts with their requests. */
function listFullPayouts(
	build: Builder,
	limit: number,
	position: Position<PayoutCursor> | undefined,
	filters: PayoutFilters,
) {
	const { past, order } = payoutKeyset(position);
	return payoutsWithParts(build)
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
			payoutsWithParts(build).where(and(sql`${payouts.id} in ${ids}`, isIn(filters))),
	},
});

/** One payout with its requests and settlements. */
export function findPayout(build: Builder, id: string) {
	return payoutsWithParts(build).where(eq(payouts.id, id));
}

/**
 * Canceled payouts that had requests or settlements of this one, and whose bills were downloaded:
 * unless these are voided, the requests are billed twice.
 */
export function listBilledBefore(build: Builder, id: string) {
	return payoutsWithParts(build)
		.where(
			and(
				sql`${payouts.id} in (select earlier.payout_id from payout_requests as own
					join payout_requests as earlier on earlier.request_id = own.request_id
					where own.payout_id = ${id} and earlier.payout_id <> ${id}
					union select earlier.payout_id from payout_settlements as own
					join payout_settlements as earlier on earlier.settlement_id = own.settlement_id
					where own.payout_id = ${id} and earlier.payout_id <> ${id})`,
				sql`${payouts.number} < (select this.number from payouts as this where this.id = ${id})`,
				eq(payouts.status, "cancelled"),
				sql`${billsDownloadedAt} is not null`,
			),
		)
		.orderBy(payouts.number);
}

/** A paid payout with a request or a settlement of this driver. */
export function findOwnPayout(build: Builder, driverId: SQL<string> | string, id: string) {
	return build
		.select()
		.from(payouts)
		.where(
			and(
				eq(payouts.id, id),
				eq(payouts.status, "paid"),
				sql`(exists (select 1 from payout_requests where payout_id = ${id}
						and driver_id = ${driverId})
					or exists (select 1 from payout_settlements where payout_id = ${id}
						and driver_id = ${driverId}))`,
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

/** A payout's settlements of a driver. */
export function selectPaidSettlements(build: Builder, id: string, driverId: SQL<string> | string) {
	return build
		.select({
			driverId: payoutSettlements.driverId,
			settlementId: payoutSettlements.settlementId,
			amountCents: payoutSettlements.amountCents,
			settlementNumber: settlements.number,
			weekFrom: settlements.weekFrom,
			...DRIVER,
		})
		.from(payoutSettlements)
		.innerJoin(settlements, eq(settlements.id, payoutSettlements.settlementId))
		.innerJoin(users, eq(users.id, payoutSettlements.driverId))
		.where(and(eq(payoutSettlements.payoutId, id), eq(payoutSettlements.driverId, driverId)));
}

/** Sums of requests and settlements by payout state, for the whole fleet or a driver. */
export function selectPayoutTotals(build: Builder, driverId: SQL<string> | string = FLEET) {
	return build.select().from(payoutTotals).where(eq(payoutTotals.driverId, driverId));
}

/** The last day on which a driver was paid, with the sum, and its payout if it is only one. */
export function selectLastPaid(build: Builder, driverId: Owner) {
	const on = (table: string) => sql`(select max(paid_on) from ${sql.identifier(table)}
		where driver_id = ${driverId} and paid_on is not null)`;
	const lines = (table: string) => sql`select paid_on, amount_cents, payout_id
		from ${sql.identifier(table)} where driver_id = ${driverId}
			and paid_on = max(coalesce(${on("payout_requests")}, ''), coalesce(${on("payout_settlements")}, ''))`;
	return build.all<{ paidOn: CalendarDate; cents: number; payoutId: string | null }>(sql`
		select paid_on as paidOn, sum(amount_cents) as cents,
			iif(min(payout_id) = max(payout_id), min(payout_id), null) as payoutId
		from (${lines("payout_requests")} union all ${lines("payout_settlements")})
		group by paid_on`);
}

/** What a driver was paid from a day on. */
export const selectPaidSince = (build: Builder, driverId: string, from: CalendarDate) =>
	build.all<{ cents: number }>(sql`select
		(select coalesce(sum(amount_cents), 0) from payout_requests
			where driver_id = ${driverId} and paid_on >= ${from})
		+ (select coalesce(sum(amount_cents), 0) from payout_settlements
			where driver_id = ${driverId} and paid_on >= ${from}) as cents`);

/** The payout with a number. */
export function findPayoutByNumber(build: Builder, number: number) {
	const { id, status, totalCents, driverCount } = payouts;
	return build
		.select({ id, number: payouts.number, status, totalCents, driverCount })
		.from(payouts)
		.where(eq(payouts.number, number));
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
