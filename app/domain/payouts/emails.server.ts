/** The emails about a payment: one to each driver in the payout. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { payouts, users } from "../../db/schema.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { PAID_LATER } from "../fund-requests/emails.server.ts";
import {
	dateOf,
	dollarsOf,
	payoutNumberOf,
	requestNumberOf,
	settlementNumberOf,
} from "../kernel/shown-in-sql.server.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { isUntold } from "../mail/carried.server.ts";
import { queueMail } from "../mail/queue.server.ts";
import type { Payment } from "./input.ts";

export const shownNumber = payoutNumberOf(payouts.number);
export const lineTotal = dollarsOf(sql`lines.cents`);

/** A payout's requests, each with the text of its decision that is still unsent. */
const requestItems = (payoutId: string) => sql`select payout_requests.driver_id as driver_id,
		payout_requests.amount_cents as amount_cents,
		${requestNumberOf(sql`fund_requests.number`)} || ': '
			|| ${dollarsOf(sql`payout_requests.amount_cents`)} || ' for '
			|| substr(replace(fund_requests.description, char(10), ' '), 1, 80) as item,
		'request' as kind, fund_requests.number as number,
		(select replace(mails.body, ${PAID_LATER}, '') from mails where ${isUntold(sql`payout_requests.request_id`)}
			and mails.recipient_id = payout_requests.driver_id limit 1) as decision
	from payout_requests join fund_requests on fund_requests.id = payout_requests.request_id
	where payout_requests.payout_id = ${payoutId}`;

/** Its settlements. */
const settlementItems = (payoutId: string) => sql`select payout_settlements.driver_id,
		payout_settlements.amount_cents,
		${settlementNumberOf(sql`settlements.number`)} || ': '
			|| ${dollarsOf(sql`payout_settlements.amount_cents`)}
			|| ' for the week of ' || ${dateOf(sql`settlements.week_from`)},
		'settlement', settlements.number, null
	from payout_settlements join settlements on settlements.id = payout_settlements.settlement_id
	where payout_settlements.payout_id = ${payoutId}`;

/**
 * A payout's lines with their drivers; `items` lists a line's requests and settlements, `decisions`
 * has the texts of unsent emails.
 */
export const linesOf = (payoutId: string) => sql`${payouts} join (
	select own.driver_id as driver_id, sum(own.amount_cents) as cents,
		group_concat(own.item, char(10)) as items, group_concat(own.decision, char(10) || char(10)) as decisions
	from (${requestItems(payoutId)} union all ${settlementItems(payoutId)} order by kind, number) as own
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
