/** Queues email in the batch of its change, so that a failed email never undoes a decision. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails, users } from "../../db/schema.ts";
import { IS_UNSENT } from "./states.server.ts";

/** Where people sign in, for links in emails. */
export type Site = {
	/** Scheme, host and port. */
	readonly origin: string;
};

/** An email; its SQL is over the recipient's row. */
type OutgoingEmail = {
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
 * Queues one email to every user that a condition on `users` matches, at a verified email or one
 * that an administrator entered: any other may be someone else's. Each is queued at most once per
 * key and recipient.
 * @param from `users`, joined with whatever else the email and the condition refer to
 */
export function queueMail(build: Builder, email: OutgoingEmail, to: SQL, from = sql`${users}`) {
	const { kind, subject, body, aboutId, dedupeKey, now, delay = 0 } = email;
	return build.run(sql`
		insert into mails (id, kind, recipient_id, address, subject, body, about_id, status,
			created_at, send_after, dedupe_key)
		select lower(hex(randomblob(16))), ${kind}, ${users.id}, ${users.email}, ${subject}, ${body},
			${aboutId}, 'queued', ${now}, ${now + delay}, ${dedupeKey} || ':' || ${users.id}
		from ${from} where ${users.email} is not null and (${to})
		on conflict (dedupe_key) do nothing`);
}

/**
 * Cancels unsent emails of a kind, because they no longer apply.
 * @param condition on `users`: only emails about a matching person are cancelled
 */
export function cancelMail(build: Builder, kind: string, aboutId: string, condition: SQL) {
	return build.run(sql`
		update mails set status = 'cancelled'
		where about_id = ${aboutId} and kind = ${kind} and ${IS_UNSENT} and exists (select 1 from ${users} where ${users.id} = ${aboutId} and (${condition}))`);
}

/**
 * Reminders and digests, by the prefix of their kinds, in the exact words of the partial indexes.
 * They may wait for other mail, never the other way round.
 */
export const IS_REMINDER = sql`substr(kind, 1, 9) = 'reminder-'`;
export const IS_URGENT = sql`substr(kind, 1, 9) <> 'reminder-'`;

/**
 * Cancels unsent reminders of some kinds, or all.
 * @param whose condition on `users`
 */
export function cancelReminders(build: Builder, kinds: readonly string[] | "all", whose: SQL) {
	const isOne =
		kinds === "all" ? sql`1` : sql`kind in (select value from json_each(${JSON.stringify(kinds)}))`;
	return build.run(sql`
		update ${mails} set status = 'cancelled'
		where ${IS_REMINDER} and ${isOne} and ${IS_UNSENT}
			and recipient_id in (select ${users.id} from ${users} where ${whose})`);
}

/** `Hello Ada,` over the recipient's row; without a name `Hello,`. */
export const hello = sql`rtrim('Hello ' || ${users.firstName}) || ${",\n\n"}`;

/** Every active administrator who has signed in; before that, their email is unproved. */
export const administrators = sql`${users.role} = 'admin' and ${users.isActive} = 1 and ${users.deletedAt} is null and (${users.invitedAt} is null or ${users.claimedAt} is not null)`;
