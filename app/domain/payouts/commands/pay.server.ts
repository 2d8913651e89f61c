import { eq, sql } from "drizzle-orm";
import { payouts } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../context.ts";
import { transition } from "../../transition.server.ts";
import { carryDecisionEmails } from "../carried.server.ts";
import { queuePaidEmails } from "../emails.server.ts";
import type { Payment } from "../input.ts";
import { type FullPayoutRow, hasOwnLine, payoutsWithRequests } from "../rows.server.ts";

export type PayRefusal =
	| Refused<"not-found">
	| Refused<"not-open", FullPayoutRow>
	| Refused<"own-line", FullPayoutRow>;

/**
 * Marks an open payout as paid. Nobody pays themselves. Its drivers are emailed once it can no
 * longer be undone silently.
 */
export async function payPayout(
	admin: AdminContext,
	id: string,
	payment: Payment,
): Promise<Outcome<FullPayoutRow, PayRefusal>> {
	const { db, user, now } = admin;
	const { paidOn, reference } = payment;
	const { changed, rows } = await transition(admin, {
		table: payouts,
		rows: eq(payouts.id, id),
		when: sql`${payouts.status} = 'open' and not ${hasOwnLine(user.id)}`,
		set: {
			status: "paid",
			paidOn,
			reference: reference ?? null,
			paidAt: now,
			paidBy: user.id,
		},
		audit: {
			action: "payout.pay",
			entity: "payout",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'paid', 'date', ${paidOn}, 'reference', ${reference ?? null},
				'amountCents', total_cents)`,
		},
		next: (paid, changeId) => ({
			emails: queuePaidEmails(db.build, id, paid, changeId, payment, now),
			carried: carryDecisionEmails(
				db.build,
				id,
				sql`exists (select 1 from ${payouts} where ${paid})`,
			),
		}),
		read: (build) => payoutsWithRequests(build).where(eq(payouts.id, id)),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	if (changed.has(id)) return done(row);
	return row.payout.status === "open" ? refused("own-line", row) : refused("not-open", row);
}
