/**
 * Fund request emails: to the administrators about a new one, and to the driver about its decision.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, mails, users } from "../../db/schema.ts";
import { dollarsOf, requestNumberOf } from "../kernel/shown-in-sql.server.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import { insertNotice } from "../mail/notices.server.ts";
import { administrators, queueMail } from "../mail/queue.server.ts";
import { IS_UNSENT, MAY_BE_TOLD } from "../mail/states.server.ts";
import { queueMessageEmail } from "../messages/emails.server.ts";
import { THREADS } from "../messages/thread.server.ts";
import { effectiveCents } from "./rows.server.ts";

export const shownNumber = requestNumberOf(fundRequests.number);
/** `$42.10`, or `$30.00 (asked $42.10)` for a request approved for less. */
const shownAmount = sql`${dollarsOf(effectiveCents)} || iif(${effectiveCents} = ${fundRequests.amountCents}, '',
	' (asked ' || ${dollarsOf(fundRequests.amountCents)} || ')')`;

/** Ends the email of an approval, unless the payout's own email carries it. */
export const PAID_LATER = "\n\nYou'll get another email when it's paid.";

/** To the administrators: a new request. */
export function noteNewRequest(build: Builder, requestId: string, driverName: string, now: number) {
	return insertNotice(
		build,
		{
			id: `new-request:${requestId}`,
			subject: sql`'New fund request ' || ${shownNumber}`,
			body: sql`${driverName} || ' asks for ' || ${shownAmount} || ' (' || ${fundRequests.type} || '): '
				|| ${fundRequests.description}`,
			now,
		},
		sql`${fundRequests}`,
		sql`${fundRequests.id} = ${requestId}`,
	);
}

/**
 * To each driver with a verified email whose request this change decided; sent once the decision
 * can no longer be undone.
 * @param changeId the change, so that a new decision after an undo is emailed again
 */
export function queueDecisionEmails(
	build: Builder,
	changed: SQL,
	changeId: string,
	status: "approved" | "rejected",
	notes: string | undefined,
	deciderName: string,
	now: number,
) {
	return queueMail(
		build,
		{
			kind: "request-decided",
			subject: sql`'Your request ' || ${shownNumber} || ${` was ${status}`}`,
			body: sql`'Your request ' || ${shownNumber} || ' for ' || ${shownAmount}
				|| ${` was ${status} by ${deciderName}.\n\n`} || ${fundRequests.description}
				|| ${notes ? `\n\nNote: ${notes}` : ""}
				|| ${status === "approved" ? PAID_LATER : "\n\nIt won't be paid."}`,
			aboutId: sql`${fundRequests.id}`,
			dedupeKey: sql`'request-decided:' || ${fundRequests.id} || ${`:${changeId}`}`,
			now,
			delay: UNDO_WINDOW_MS,
		},
		changed,
		sql`${fundRequests} join ${users} on ${users.id} = ${fundRequests.driverId}`,
	);
}

/** To each driver with a verified email whose request this change reopened. */
export function reopenedMail(
	build: Builder,
	changed: SQL,
	changeId: string,
	note: string | undefined,
	adminName: string,
	now: number,
) {
	return queueMail(
		build,
		{
			kind: "request-reopened",
			subject: sql`'Your request ' || ${shownNumber} || ' was reopened'`,
			body: sql`${`${adminName} reopened your request `} || ${shownNumber} || ' for ' || ${shownAmount}
				|| ${".\n\n"} || ${fundRequests.description} || ${note ? `\n\nNote: ${note}` : ""}
				|| ${"\n\nIt is pending again. You'll get another email when it's decided."}`,
			aboutId: sql`${fundRequests.id}`,
			dedupeKey: sql`'request-reopened:' || ${fundRequests.id} || ${`:${changeId}`}`,
			now,
		},
		changed,
		sql`${fundRequests} join ${users} on ${users.id} = ${fundRequests.driverId}`,
	);
}

/** The administrators who have asked about a request of the outer query. */
const askers = sql`${administrators} and exists (select 1 from request_messages as questions
	where questions.request_id = ${fundRequests.id} and questions.author_id = ${users.id})`;

/**
 * Questions go to the request's driver, answers to the administrators who have asked.
 * @param written matches the new message
 */
export const queueThreadEmail = (
	build: Builder,
	by: "admin" | "driver",
	author: string,
	written: SQL,
	now: number,
) =>
	queueMessageEmail(
		build,
		THREADS.request,
		by === "admin"
			? {
					kind: "request-question",
					subject: sql`'Question about your request ' || ${shownNumber}`,
					opening: sql`${author} || ' asked about your request ' || ${shownNumber} || ' for ' || ${shownAmount}`,
					advice: "Answer it under Fund Requests.",
					to: sql`${users.id} = ${fundRequests.driverId}`,
				}
			: {
					kind: "request-answer",
					subject: sql`'Answer about ' || ${shownNumber}`,
					opening: sql`${author} || ' answered about ' || ${shownNumber} || ' for ' || ${shownAmount}`,
					to: askers,
				},
		written,
		now,
	);

/**
 * To the administrators who have asked, if the receipt is the answer and nothing was written since.
 * @param changed matches the requests whose receipts this change added
 */
export function queueReceiptAnswerEmails(
	build: Builder,
	changed: SQL,
	changeId: string,
	author: string,
	now: number,
) {
	const isAnswer = sql`${fundRequests.status} = 'pending' and (select author_role
		from request_messages where request_id = ${fundRequests.id} order by position desc limit 1) = 'admin'`;
	return queueMail(
		build,
		{
			kind: "request-answer",
			subject: sql`'Answer about ' || ${shownNumber}`,
			body: sql`${`${author} added a receipt to `} || ${shownNumber} || ' for ' || ${shownAmount} || '.'`,
			aboutId: sql`${fundRequests.id}`,
			dedupeKey: sql`'request-answer:' || ${fundRequests.id} || ${`:${changeId}`}`,
			now,
		},
		sql`${changed} and ${isAnswer} and ${askers}`,
		sql`${fundRequests} join ${users}`,
	);
}

/** Whether the email about a request's decision was or is being sent, so its driver may know. */
export const isDecisionTold = sql`exists (select 1 from mails
	where mails.about_id = fund_requests.id and mails.kind = 'request-decided' and ${MAY_BE_TOLD}
		and mails.created_at >= fund_requests.decided_at)`;

/**
 * Cancels unsent emails about undone decisions.
 * @param undone matches the requests
 */
export function cancelDecisionEmails(build: Builder, undone: SQL) {
	return build
		.update(mails)
		.set({ status: "cancelled" })
		.where(
			sql`${mails.kind} = 'request-decided' and ${IS_UNSENT}
				and ${mails.aboutId} in (select ${fundRequests.id} from ${fundRequests} where ${undone})`,
		);
}
