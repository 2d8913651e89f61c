/** The outbox as an administrator reads it. */
import { desc, eq, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { cursors } from "../../values/cursor.ts";

/** Mails on one page. */
export const MAILS_PAGE = 50;

/** Where a page of emails goes on: after an email, the latest first. */
export const mailCursors = cursors({ createdAt: "number", id: "id" });
export type MailCursor = NonNullable<ReturnType<typeof mailCursors.parse>>;

/** One page of the outbox, the newest first, and one row more that tells whether there is a next. */
export function listMails(build: Builder, after?: MailCursor) {
	return build
		.select()
		.from(mails)
		.where(after ? sql`(${mails.createdAt}, ${mails.id}) < (${after.createdAt}, ${after.id})` : undefined)
		.orderBy(desc(mails.createdAt), desc(mails.id))
		.limit(MAILS_PAGE + 1);
}

/** How many mails could not be sent. */
export function failedMails(build: Builder) {
	return build.select({ count: sql<number>`count(*)` }).from(mails).where(eq(mails.status, "failed"));
}
