/** Reads of the mail queue for administrators. */
import { and, eq, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { literal } from "../../db/literal.ts";
import { mails } from "../../db/schema.ts";
import { MAX_COUNTED } from "./rules.ts";
import type { MailCursor, MailSearch } from "./search.ts";

/** Emails per page. */
export const MAILS_PAGE = 50;

/** Whether a list is in the order in which emails were due: an index has it by status. */
const isByDue = ({ status, recipient }: MailSearch) => status !== undefined && !recipient;

/** An email's position in a list. */
export function mailPosition(search: MailSearch, mail: typeof mails.$inferSelect): MailCursor {
	return { at: isByDue(search) ? mail.sendAfter : mail.createdAt, id: mail.id };
}

/**
 * One page of the emails, newest first, plus one row that shows whether there is another page. One
 * recipient's are read by recipient, whatever their status: a plus sign hides that from its index.
 */
export function listMails(build: Builder, search: MailSearch) {
	const { status, recipient, position } = search;
	const { createdAt, sendAfter, recipientId, id } = mails;
	const place = position && {
		way: position.way,
		values: [position.cursor.at, position.cursor.id],
	};
	const page = keyset([isByDue(search) ? sendAfter : createdAt, id], "desc", place);
	const stored = status === "uncertain" ? "failed" : status;
	return build
		.select()
		.from(mails)
		.where(
			and(
				recipient ? eq(recipientId, recipient) : undefined,
				stored && sql`${recipient ? sql`+` : sql``}${mails.status} = ${literal(stored)}`,
				stored === "failed" ? eq(mails.mayHaveBeenSent, status === "uncertain") : undefined,
				page.past,
			),
		)
		.orderBy(page.order)
		.limit(MAILS_PAGE + 1);
}

/**
 * How many emails failed, and how many of those may have been sent after all; one more than
 * `MAX_COUNTED` means many.
 */
export function failedMails(build: Builder) {
	return build.all<{ count: number; uncertain: number }>(sql`
		select count(*) as count, coalesce(sum(may_have_been_sent), 0) as uncertain
		from (select may_have_been_sent from mails where status = 'failed'
			order by send_after limit ${MAX_COUNTED + 1})`);
}

/** The waiting email that a provider refused and that is tried next, if there is one. */
export function refusedMail(build: Builder) {
	return build.all<{
		error: string;
	}>(sql`select last_error as error from mails indexed by mails_refused
		where status = 'queued' and first_tried_at is not null and last_error is not null
		order by send_after limit 1`);
}
