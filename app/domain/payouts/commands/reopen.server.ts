import { eq, type SQL, sql } from "drizzle-orm";
import { payouts } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { UNDO_WINDOW_MS } from "../../kernel/time-limits.ts";
import { transition } from "../../kernel/transition.server.ts";
import { displayName } from "../../people/rules.ts";
import { cancelPaidEmails, isPaymentTold, queueReopenedEmails } from "../reopened-emails.server.ts";
import { type FullPayoutRow, payoutsWithParts } from "../rows.server.ts";

export type ReopenRefusal =
	| Refused<"not-found">
	| Refused<"not-paid" | "paid-since", FullPayoutRow>
	| Refused<"reason-needed" | "told", FullPayoutRow>;

/**
 * Reopens a paid payout. Whoever marked it as paid can do so silently within ten minutes, until the
 * first of its emails is sent; otherwise a reason is needed, and the drivers are emailed.
 * @param isSilent if they were promised silence: then it is refused, not emailed
 * @param seen when the payment that the form was shown for was recorded: a later one stays
 */
export async function reopenPayout(
	admin: AdminContext,
	id: string,
	reason: string | undefined,
	isSilent = false,
	seen?: number,
): Promise<Outcome<FullPayoutRow, ReopenRefusal>> {
	const { user, now } = admin;
	const isSeen = seen === undefined ? sql`1` : sql`${payouts.paidAt} <= ${seen}`;
	const own = sql`${isSeen} and ${payouts.paidBy} = ${user.id} and ${payouts.paidAt} > ${now - UNDO_WINDOW_MS}
		and not ${isPaymentTold}`;
	const undone = await reopen(admin, id, own, reason, false);
	if (!undone.row) return refused("not-found");
	if (undone.isChanged) return done(undone.row);
	if (undone.row.payout.status !== "paid") return refused("not-paid", undone.row);
	const { paidAt } = undone.row.payout;
	if (seen !== undefined && paidAt !== null && paidAt > seen)
		return refused("paid-since", undone.row);
	if (reason === undefined) return refused("reason-needed", undone.row);
	if (isSilent) return refused("told", undone.row);
	const reopened = await reopen(admin, id, isSeen, reason, true);
	if (!reopened.row) return refused("not-found");
	return reopened.isChanged ? done(reopened.row) : refused("not-paid", reopened.row);
}

async function reopen(
	admin: AdminContext,
	id: string,
	by: SQL,
	reason: string | undefined,
	isTold: boolean,
): Promise<{ row: FullPayoutRow | undefined; isChanged: boolean }> {
	const { db, user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: payouts,
		rows: eq(payouts.id, id),
		when: sql`${payouts.status} = 'paid' and ${by}`,
		set: { status: "open", paidOn: null, reference: null, paidAt: null, paidBy: null },
		audit: {
			action: "payout.reopen",
			entity: "payout",
			before: sql`json_object('status', status, 'date', paid_on, 'reference', reference)`,
			after: sql`json_object('status', 'open')`,
			reason,
		},
		next: (reopened, changeId) => ({
			...cancelPaidEmails(db.build, id, reopened),
			emails: isTold
				? queueReopenedEmails(
						db.build,
						id,
						reopened,
						changeId,
						reason ?? "",
						displayName(user),
						now,
					)
				: undefined,
		}),
		read: (build) => payoutsWithParts(build).where(eq(payouts.id, id)),
	});
	return { row: rows[0], isChanged: changed.has(id) };
}
