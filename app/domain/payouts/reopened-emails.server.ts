/** What reopening a payout does with the emails about its payment, and its own. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails, payouts } from "../../db/schema.ts";
import { restoreDecisionEmails } from "../mail/carried.server.ts";
import { queueMail } from "../mail/queue.server.ts";
import { IS_UNSENT, MAY_BE_TOLD } from "../mail/states.server.ts";
import { linesOf, lineTotal, shownNumber } from "./emails.server.ts";

/** Whether an email about a payment is being sent or was, so that its driver may know. */
export const isPaymentTold = sql`exists (select 1 from mails
	where mails.about_id = payouts.id and mails.kind = 'payout-paid' and ${MAY_BE_TOLD}
		and mails.created_at >= payouts.paid_at)`;

/** Cancels the emails of an undone payment, and requeues the decisions they included. */
export function cancelPaidEmails(build: Builder, payoutId: string, reopened: SQL) {
	const isReopened = sql`exists (select 1 from ${payouts} where ${reopened})`;
	return {
		cancelled: build
			.update(mails)
			.set({ status: "cancelled" })
			.where(
				sql`${mails.aboutId} = ${payoutId} and ${mails.kind} = 'payout-paid' and ${IS_UNSENT}
					and ${isReopened}`,
			),
		restored: restoreDecisionEmails(build, payoutId, isReopened),
	};
}

/** To each driver in the payout: it is open again, and why. */
export function queueReopenedEmails(
	build: Builder,
	payoutId: string,
	reopened: SQL,
	changeId: string,
	reason: string,
	adminName: string,
	now: number,
) {
	return queueMail(
		build,
		{
			kind: "payout-reopened",
			subject: sql`'Payout ' || ${shownNumber} || ' was reopened'`,
			body: sql`${`${adminName} reopened payout `} || ${shownNumber} || '. Your '
				|| ${lineTotal} || ${` in it is not counted as paid for now.\n\nReason: ${reason}`}`,
			aboutId: payoutId,
			dedupeKey: `payout-reopened:${payoutId}:${changeId}`,
			now,
		},
		reopened,
		linesOf(payoutId),
	);
}
