/** Queues mail in the outbox, in the batch of the change it tells of: a mail that fails never undoes a decision. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";

type Letter = {
	readonly kind: string;
	readonly subject: string;
	readonly body: string;
	/** What it is about: the id of a user or a request. */
	readonly aboutId: string;
	/** The same key is queued once. Each recipient's id is added to it. */
	readonly dedupeKey: string;
	readonly now: number;
	/** Milliseconds to wait before sending. */
	readonly delay?: number;
};

/**
 * One mail to every user with an address whom a condition on `users` names.
 * Every mail is queued at most once for its key and recipient.
 */
export function queueMail(build: Builder, letter: Letter, to: SQL) {
	return build.run(sql`
		insert into mails (id, kind, recipient_id, address, subject, body, about_id, status, created_at, send_after, dedupe_key)
		select lower(hex(randomblob(16))), ${letter.kind}, ${users.id}, coalesce(${users.email}, ${users.unverifiedEmail}), ${letter.subject}, ${letter.body},
			${letter.aboutId}, 'queued', ${letter.now}, ${letter.now + (letter.delay ?? 0)}, ${letter.dedupeKey} || ':' || ${users.id}
		from ${users} where coalesce(${users.email}, ${users.unverifiedEmail}) is not null and (${to})
		on conflict (dedupe_key) do nothing`);
}

/** Every active administrator. */
const administrators = sql`${users.role} = 'admin' and ${users.isActive} = 1 and ${users.deletedAt} is null`;

/** To the administrators: somebody has applied. Written before the change, while `applies` still tells the applicant. */
export function newApplicationMail(build: Builder, userId: string, name: string, now: number, applies: SQL) {
	return queueMail(
		build,
		{
			kind: "new-application",
			subject: `New driver application: ${name}`,
			body: `${name} has applied as a driver.\n\nReview the application under Driver Management.`,
			aboutId: userId,
			dedupeKey: `new-application:${userId}`,
			now,
		},
		sql`${administrators} and exists (select 1 from ${users} where ${applies})`,
	);
}
