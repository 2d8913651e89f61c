/** The email about a message. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { queueMail } from "../mail/queue.server.ts";
import type { ThreadKind } from "./thread.server.ts";

/** A message's email; its SQL is over the row that it is about. */
export type MessageEmail = {
	readonly kind: string;
	readonly subject: SQL;
	/** The sentence before the message, with its author. */
	readonly opening: SQL;
	/** What to do next, if there is something. */
	readonly advice?: string;
	/** Its recipients, as a condition on `users`. */
	readonly to: SQL;
};

/**
 * One email to each recipient of a message.
 * @param written matches the new message
 */
export function queueMessageEmail(
	build: Builder,
	{ about, messages, aboutId }: ThreadKind,
	{ kind, subject, opening, advice, to }: MessageEmail,
	written: SQL,
	now: number,
) {
	return queueMail(
		build,
		{
			kind,
			subject,
			body: sql`${opening} || ${":\n\n"} || ${messages.text} || ${advice ? `\n\n${advice}` : ""}`,
			aboutId: sql`${about.id}`,
			dedupeKey: sql`${`${kind}:`} || ${messages.id}`,
			now,
		},
		sql`${written} and ${to}`,
		sql`${messages} join ${about} on ${about.id} = ${aboutId} join ${users}`,
	);
}
