/** Decisions that the email of a payment includes, so that they aren't sent by themselves. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { IS_OUTDATED, IS_UNSENT } from "./states.server.ts";

const requestsOf = (payoutId: string) =>
	sql`(select payout_requests.request_id from payout_requests
		where payout_requests.payout_id = ${payoutId})`;

/** The email about a request's decision, if its driver hasn't received it. */
export const isUntold = (requestId: SQL) =>
	sql`mails.about_id = ${requestId} and mails.kind = 'request-decided' and ${IS_UNSENT}
		and not ${IS_OUTDATED}`;

/** Decisions included in the emails of a payment aren't sent separately. */
export function carryDecisionEmails(build: Builder, payoutId: string, isPaid: SQL) {
	return build
		.update(mails)
		.set({ status: "cancelled", carriedBy: payoutId })
		.where(
			sql`${mails.aboutId} in ${requestsOf(payoutId)} and ${mails.kind} = 'request-decided'
				and ${IS_UNSENT} and ${isPaid}`,
		);
}

/**
 * Queues the decisions that a payment's emails included, once those are cancelled: each is sent
 * separately only if none of them was sent to its driver, or may have been.
 */
export function restoreDecisionEmails(build: Builder, payoutId: string, isReopened: SQL) {
	return build
		.update(mails)
		.set({
			status: "queued",
			carriedBy: null,
			attempts: 0,
			// What may have been accepted keeps its key.
			firstTriedAt: sql`iif(${mails.uncertainAt} is null, null, ${mails.firstTriedAt})`,
			lastError: null,
		})
		.where(
			sql`${mails.aboutId} in ${requestsOf(payoutId)} and ${mails.kind} = 'request-decided'
				and ${mails.carriedBy} = ${payoutId} and not ${IS_OUTDATED} and ${isReopened}
				and not exists (select 1 from mails as carrier
					where carrier.about_id = ${payoutId} and carrier.kind = 'payout-paid'
						and carrier.recipient_id = ${mails.recipientId} and carrier.status <> 'cancelled')`,
		);
}
