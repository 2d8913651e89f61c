/** The mails of fund requests: to the administrators when one comes in, to the driver when it is decided. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { fundRequests, mails, users } from "../../db/schema.ts";
import { administrators } from "../mail/commands.server.ts";
import { DIGEST_DELAY_MS } from "../mail/rules.ts";
import { UNDO_WINDOW_MS } from "./rules.ts";

const shownNumber = sql`'FR-' || printf('%06d', ${fundRequests.number})`;
const shownAmount = sql`'$' || printf('%,d', ${fundRequests.amountCents} / 100) || '.' || printf('%02d', ${fundRequests.amountCents} % 100)`;

/** To every active administrator: a new request waits. Gathered into one digest when it is sent. */
export function newRequestMail(build: Builder, requestId: string, driverName: string, now: number) {
	return build.run(sql`
		insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		select lower(hex(randomblob(16))), 'new-request', ${users.id}, ${users.email}, 'New fund request ' || ${shownNumber},
			${driverName} || ' asks for ' || ${shownAmount} || ' (' || ${fundRequests.type} || '): ' || ${fundRequests.description},
			${requestId}, 'queued', ${now}, ${now + DIGEST_DELAY_MS}, 'new-request:' || ${requestId} || ':' || ${users.id}
		from ${fundRequests}, ${users}
		where ${fundRequests.id} = ${requestId} and ${administrators} and ${users.email} is not null
		on conflict (dedupe_key) do nothing`);
}

/**
 * To each driver with a verified address whose request was decided by this change; sent when the decision can no longer be taken back.
 * @param changeId the change, so that a decision made again after an undo is told again
 */
export function decisionMails(
	build: Builder,
	changed: SQL,
	changeId: string,
	status: "approved" | "rejected",
	notes: string | undefined,
	deciderName: string,
	now: number,
) {
	return build.run(sql`
		insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		select lower(hex(randomblob(16))), 'request-decided', ${users.id}, ${users.email},
			'Your request ' || ${shownNumber} || ${` was ${status}`},
			'Your request ' || ${shownNumber} || ' for ' || ${shownAmount} || ${` was ${status} by ${deciderName}.`} || ${notes ? `\n\nNote: ${notes}` : ""},
			${fundRequests.id}, 'queued', ${now}, ${now + UNDO_WINDOW_MS}, 'request-decided:' || ${fundRequests.id} || ':' || ${changeId}
		from ${fundRequests} join ${users} on ${users.id} = ${fundRequests.driverId}
		where ${changed} and ${users.email} is not null
		on conflict (dedupe_key) do nothing`);
}

/**
 * Cancels the emails about decisions that were undone before they left.
 * @param undone names the requests
 */
export function cancelDecisionMails(build: Builder, undone: SQL) {
	return build
		.update(mails)
		.set({ status: "cancelled" })
		.where(
			sql`${mails.kind} = 'request-decided' and ${mails.status} = 'queued'
				and ${mails.aboutId} in (select ${fundRequests.id} from ${fundRequests} where ${undone})`,
		);
}
