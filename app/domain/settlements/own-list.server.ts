/** The list of a driver's published weeks; separate because the dashboard needs only this. */
import { and, eq, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { settlements } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { PayoutOfRequest } from "../fund-requests/payment.ts";
import type { OwnWeekCursor } from "./search.ts";

/** The payout that a settlement is in. */
export const PAYOUT = sql<PayoutOfRequest | null>`(select json_object('id', payouts.id,
		'number', payouts.number, 'status', payouts.status, 'paidOn', payouts.paid_on)
	from payouts where payouts.id = ${settlements.payoutId})`
	.mapWith((text: string | null): PayoutOfRequest | null => text && JSON.parse(text))
	.as("payout");

/** One page of a driver's published weeks, latest first. */
export function listOwnWeeks(
	build: Builder,
	me: Owner,
	limit: number,
	position?: Position<OwnWeekCursor>,
) {
	const { past, order } = keyset(
		[settlements.weekFrom],
		"desc",
		position && { way: position.way, values: [position.cursor.weekFrom] },
	);
	const { id, number, weekFrom, status, resultCents, question } = settlements;
	return build
		.select({ id, number, weekFrom, status, resultCents, question, payout: PAYOUT })
		.from(settlements)
		.where(
			and(
				eq(settlements.driverId, me),
				sql`${settlements.status} <> 'void' and ${settlements.status} <> 'draft'`,
				past,
			),
		)
		.orderBy(order)
		.limit(limit);
}

/** Their latest published week. */
export const selectLastWeek = (build: Builder, me: Owner) => listOwnWeeks(build, me, 1);
