/** The emails about payouts: one to each driver in it. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails, payouts, users } from "../../db/schema.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { queueMail } from "../mail/queue.server.ts";
import { dollarsOf, requestNumberOf } from "../shown-in-sql.server.ts";
import { UNDO_WINDOW_MS } from "../undo-window.ts";
import type { Payment } from "./input.ts";

const shownNumber = sql`'PO-' || printf('%06d', ${payouts.number})`;
const lineTotal = dollarsOf(sql`lines.cents`);

/** A decision about a request in the payout that its driver hasn't been told about yet. */
const untold = (requestId: SQL) =>
	sql`mails.about_id = ${requestId} and mails.kind = 'request-decided' and mails.status = 'queued'`;

/**
 * A payout's lines with their drivers; `items` lists a line's requests, `decisions` has the texts
 * of unsent emails.
 */
const linesOf = (payoutId: string) => sql`${payouts} join (
	select own.driver_id as driver_id, sum(own.amount_cents) as cents,
		group_concat(own.item, char(10)) as items, group_concat(own.decision, char(10) || char(10)) as decisions
	from (
		select payout_requests.driver_id as driver_id, payout_requests.amount_cents as amount_cents,
			${requestNumberOf(sql`fund_requests.number`)} || ': '
				|| ${dollarsOf(sql`payout_requests.amount_cents`)} as item,
			(select mails.body from mails where ${untold(sql`payout_requests.request_id`)}
				and mails.recipient_id = payout_requests.driver_id limit 1) as decision
		from payout_requests join fund_requests on fund_requests.id = payout_requests.request_id
		where payout_requests.payout_id = ${payoutId}
		order by fund_requests.number) as own
	group by own.driver_id) as lines
	join ${users} on ${users.id} = lines.driver_id`;

/**
 * To each driver in the payout: what was paid, and the decisions they haven't been told about. Sent
 * once the payment can no longer be undone silently.
 * @param changeId the change, so that a payout paid again is emailed again
 */
export function queuePaidEmails(
	build: Builder,
	payoutId: string,
	paid: SQL,
	changeId: string,
	{ paidOn, reference }: Payment,
	now: number,
) {
	return queueMail(
		build,
		{
			kind: "payout-paid",
			subject: sql`'You were paid ' || ${lineTotal} || ' (' || ${shownNumber} || ')'`,
			body: sql`'You were paid ' || ${lineTotal} || ${` on ${formatDate(paidOn)}, in payout `} || ${shownNumber} || '.'
				|| ${reference ? `\nReference: ${reference}` : ""} || char(10) || char(10) || lines.items
				|| coalesce(char(10) || char(10) || lines.decisions, '')`,
			aboutId: payoutId,
			dedupeKey: `payout-paid:${payoutId}:${changeId}`,
			now,
			delay: UNDO_WINDOW_MS,
		},
		paid,
		linesOf(payoutId),
	);
}

const requestsOf = (payoutId: string) =>
	sql`(select payout_requests.request_id from payout_requests
		where payout_requests.payout_id = ${payoutId})`;

/** Decisions included in the emails of a payment aren't sent separately. */
export function carryDecisionEmails(build: Builder, payoutId: string, paid: SQL) {
	return build
		.update(mails)
		.set({ status: "cancelled", carriedBy: payoutId })
		.where(
			sql`${mails.aboutId} in ${requestsOf(payoutId)} and ${mails.kind} = 'request-decided'
				and ${mails.status} = 'queued' and exists (select 1 from ${payouts} where ${paid})`,
		);
}

/** Cancels the emails of an undone payment, and requeues the decisions they included. */
export function cancelPaidEmails(build: Builder, payoutId: string, reopened: SQL) {
	const isReopened = sql`exists (select 1 from ${payouts} where ${reopened})`;
	const isWaiting = sql`mails.about_id = ${payoutId} and mails.kind = 'payout-paid'
		and mails.status = 'queued'`;
	return {
		// Runs before the emails that include them are cancelled: a decision is sent separately only if
		// none of them was sent.
		restored: build
			.update(mails)
			.set({ status: "queued", carriedBy: null })
			.where(
				sql`${mails.aboutId} in ${requestsOf(payoutId)} and ${mails.kind} = 'request-decided'
					and ${mails.carriedBy} = ${payoutId} and ${isReopened}
					and ${mails.recipientId} in (select waiting.recipient_id from mails as waiting
						where waiting.about_id = ${payoutId} and waiting.kind = 'payout-paid'
							and waiting.status = 'queued')`,
			),
		cancelled: build
			.update(mails)
			.set({ status: "cancelled" })
			.where(sql`${isWaiting} and ${isReopened}`),
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
			subject: sql`'Payout ' || ${shownNumber} || ' is open again'`,
			body: sql`${`${adminName} put payout `} || ${shownNumber} || ' back to open. Your '
				|| ${lineTotal} || ${` in it is not counted as paid for now.\n\nReason: ${reason}`}`,
			aboutId: payoutId,
			dedupeKey: `payout-reopened:${payoutId}:${changeId}`,
			now,
		},
		reopened,
		linesOf(payoutId),
	);
}
