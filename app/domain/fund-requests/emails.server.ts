/**
 * The mails of fund requests: to the administrators when one comes in, to the driver when it is
 * decided.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, mails, users } from "../../db/schema.ts";
import { administrators, queueMail } from "../mail/queue.server.ts";
import { DIGEST_DELAY_MS } from "../mail/rules.ts";
import { UNDO_WINDOW_MS } from "./rules.ts";

export const shownNumber = sql`'FR-' || printf('%06d', ${fundRequests.number})`;
const shownAmount = sql`'$' || printf('%,d', ${fundRequests.amountCents} / 100) || '.' || printf('%02d', ${fundRequests.amountCents} % 100)`;

/** To every active administrator: a new request waits. Gathered into one digest when it is sent. */
export function queueNewRequestEmail(
	build: Builder,
	requestId: string,
	driverName: string,
	now: number,
) {
	return queueMail(
		build,
		{
			kind: "new-request",
			subject: sql`'New fund request ' || ${shownNumber}`,
			body: sql`${driverName} || ' asks for ' || ${shownAmount} || ' (' || ${fundRequests.type} || '): '
				|| ${fundRequests.description}`,
			aboutId: requestId,
			dedupeKey: `new-request:${requestId}`,
			now,
			delay: DIGEST_DELAY_MS,
		},
		sql`${fundRequests.id} = ${requestId} and ${administrators}`,
		sql`${fundRequests} join ${users}`,
	);
}

/**
 * To each driver with a verified address whose request was decided by this change; sent when the
 * decision can no longer be taken back.
 * @param changeId the change, so that a decision made again after an undo is told again
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
				|| ${` was ${status} by ${deciderName}.`} || ${notes ? `\n\nNote: ${notes}` : ""}`,
			aboutId: sql`${fundRequests.id}`,
			dedupeKey: sql`'request-decided:' || ${fundRequests.id} || ${`:${changeId}`}`,
			now,
			delay: UNDO_WINDOW_MS,
		},
		changed,
		sql`${fundRequests} join ${users} on ${users.id} = ${fundRequests.driverId}`,
	);
}

/** To each driver with a verified address whose request was reopened by this change. */
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
				|| ${`. It is pending again.${note ? `\n\nNote: ${note}` : ""}`}`,
			aboutId: sql`${fundRequests.id}`,
			dedupeKey: sql`'request-reopened:' || ${fundRequests.id} || ${`:${changeId}`}`,
			now,
		},
		changed,
		sql`${fundRequests} join ${users} on ${users.id} = ${fundRequests.driverId}`,
	);
}

/**
 * Cancels the emails about decisions that were taken back before they left.
 * @param undone names the requests
 */
export function cancelDecisionEmails(build: Builder, undone: SQL) {
	return build
		.update(mails)
		.set({ status: "cancelled" })
		.where(
			sql`${mails.kind} = 'request-decided' and ${mails.status} = 'queued'
				and ${mails.aboutId} in (select ${fundRequests.id} from ${fundRequests} where ${undone})`,
		);
}
