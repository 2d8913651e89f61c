/** Reads of the mail queue for administrators. */
import { eq, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { mails } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { MailCursor } from "./search.ts";

/** Emails per page. */
export const MAILS_PAGE = 50;

/**
 * One page of the mail queue, newest first, plus one row that shows whether there is another page.
 */
export function listMails(build: Builder, position?: Position<MailCursor>) {
	const { createdAt, id } = mails;
	const place = position && {
		way: position.way,
		values: [position.cursor.createdAt, position.cursor.id],
	};
	const page = keyset([createdAt, id], "desc", place);
	return build
		.select()
		.from(mails)
		.where(page.past)
		.orderBy(page.order)
		.limit(MAILS_PAGE + 1);
}

/** How many emails failed, and how many of those may have been sent after all. */
export function failedMails(build: Builder) {
	return build
		.select({
			count: sql<number>`count(*)`,
			uncertain: sql<number>`coalesce(sum(${mails.mayHaveBeenSent}), 0)`,
		})
		.from(mails)
		.where(eq(mails.status, "failed"));
}

/** The waiting email that a provider refused and that is tried next, if there is one. */
export function refusedMail(build: Builder) {
	return build.all<{ error: string }>(sql`select last_error as error from mails
		where status = 'queued' and first_tried_at is not null and last_error is not null
		order by send_after limit 1`);
}
