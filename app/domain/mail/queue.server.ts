/**
 * Queues email in the outbox, in the batch of its change, so that a failed email never undoes a
 * decision.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails, users } from "../../db/schema.ts";

/** Where people sign in, as a mail names it. */
export type Site = {
	/** Scheme, host and port. */
	readonly origin: string;
};

/** An email; SQL is over the recipient's row, where only the row knows. */
type Letter = {
	readonly kind: string | SQL;
	readonly subject: string | SQL;
	readonly body: string | SQL;
	/** What it is about: the id of a user or a request. */
	readonly aboutId: string | SQL;
	/** The same key is queued once. Each recipient's id is added to it. */
	readonly dedupeKey: string | SQL;
	readonly now: number;
	/** Milliseconds to wait before sending. */
	readonly delay?: number;
};

/**
 * One mail to every user whom a condition on `users` names, at the address that was verified or
 * that an administrator typed: an unverified one may be somebody else's. Every mail is queued at
 * most once for its key and recipient.
 * @param from `users`, joined with what the letter and the condition speak of besides
 */
export function queueMail(build: Builder, letter: Letter, to: SQL, from = sql`${users}`) {
	const { kind, subject, body, aboutId, dedupeKey, now, delay = 0 } = letter;
	return build.run(sql`
		insert into mails (id, kind, recipient_id, address, subject, body, about_id, status,
			created_at, send_after, dedupe_key)
		select lower(hex(randomblob(16))), ${kind}, ${users.id}, ${users.email}, ${subject}, ${body},
			${aboutId}, 'queued', ${now}, ${now + delay}, ${dedupeKey} || ':' || ${users.id}
		from ${from} where ${users.email} is not null and (${to})
		on conflict (dedupe_key) do nothing`);
}

/**
 * Cancels the mails of a kind that still wait, because what they say is no longer so.
 * @param condition on `users`: nothing is cancelled unless it names the person the mail is about
 */
export function cancelMail(build: Builder, kind: string, aboutId: string, condition: SQL) {
	return build.run(sql`
		update mails set status = 'cancelled'
		where about_id = ${aboutId} and kind = ${kind} and status = 'queued' and exists (select 1 from ${users} where ${users.id} = ${aboutId} and (${condition}))`);
}

/**
 * Reminders and digests, by what their kinds begin with; the very words of the partial indexes. They
 * may wait for other mail, never the other way round.
 */
export const IS_REMINDER = sql`substr(kind, 1, 9) = 'reminder-'`;
export const IS_URGENT = sql`substr(kind, 1, 9) <> 'reminder-'`;

/**
 * Cancels reminders of some kinds that still wait.
 * @param whose condition on `users`
 */
export function cancelReminders(build: Builder, kinds: readonly string[], whose: SQL) {
	return build.run(sql`
		update ${mails} set status = 'cancelled'
		where ${IS_REMINDER} and kind in (select value from json_each(${JSON.stringify(kinds)}))
			and status = 'queued' and recipient_id in (select ${users.id} from ${users} where ${whose})`);
}

/**
 * Every active administrator; one who was invited and has not signed in yet has proved no address.
 */
export const administrators = sql`${users.role} = 'admin' and ${users.isActive} = 1 and ${users.deletedAt} is null and (${users.invitedAt} is null or ${users.claimedAt} is not null)`;
