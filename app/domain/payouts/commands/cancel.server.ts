import { eq, sql } from "drizzle-orm";
import { payouts } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { type FullPayoutRow, payoutsWithParts } from "../rows.server.ts";

export type CancelRefusal = Refused<"not-found"> | Refused<"not-open", FullPayoutRow>;

/**
 * Cancels an open payout, for good: its requests and settlements are unpaid again and can be put into
 * another. The settlements follow it by a trigger.
 */
export async function cancelPayout(
	admin: AdminContext,
	id: string,
): Promise<Outcome<FullPayoutRow, CancelRefusal>> {
	const { db, user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: payouts,
		rows: eq(payouts.id, id),
		when: sql`${payouts.status} = 'open'`,
		set: { status: "cancelled", cancelledAt: now, cancelledBy: user.id },
		audit: {
			action: "payout.cancel",
			entity: "payout",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'cancelled')`,
		},
		next: (cancelled, changeId) => ({
			freed: db.build.run(sql`
				update fund_requests set payout_id = null, last_change_id = ${changeId}
				where id in (select request_id from payout_requests where payout_id = ${id})
					and payout_id = ${id} and exists (select 1 from ${payouts} where ${cancelled})`),
		}),
		read: (build) => payoutsWithParts(build).where(eq(payouts.id, id)),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	return changed.has(id) ? done(row) : refused("not-open", row);
}
