/** What a person was asked, asked and answered. */
import { type SQL, sql } from "drizzle-orm";
import { requestNumber } from "../fund-requests/rules.ts";
import { settlementNumber } from "../statements/settlement-week.ts";
import {
	type Column,
	code,
	moment,
	nameOf,
	plain,
	rowsOf,
	type Section,
} from "./section.server.ts";

/**
 * The threads about one's own rows, and what one wrote about others' as an administrator.
 * @param from the messages, as `message`, joined with what they are `about`
 * @param order of the rows that messages are about
 */
const messages = (
	section: Pick<Section, "name" | "about">,
	number: Readonly<Record<string, Column>>,
	from: SQL,
	order: readonly SQL[],
	later?: Readonly<Record<string, Column>>,
): Section => ({
	...section,
	columns: {
		...number,
		position: plain(sql`message.position`),
		author: nameOf(sql`message.author_id`),
		authorRole: plain(sql`message.author_role`),
		text: plain(sql`message.text`),
		sentBy: plain(sql`message.source`),
		createdAt: moment(sql`message.created_at`),
		...later,
	},
	parts: [
		rowsOf(from, sql`about.driver_id`, ...order, sql`message.position`),
		{
			from,
			whose: (id) => sql`message.author_id = ${id} and message.author_role = 'admin'`,
			order: [sql`message.created_at`, sql`message.id`],
		},
	],
});

export const REQUEST_MESSAGES = messages(
	{
		name: "messages",
		about: "Questions and answers about their requests, and what they asked as an administrator.",
	},
	{ requestNumber: code(requestNumber)(sql`about.number`) },
	sql`fund_requests as about join request_messages as message on message.request_id = about.id`,
	[sql`about.created_at`, sql`about.id`],
	{ capturedAt: moment(sql`message.captured_at`) },
);

export const WEEK_MESSAGES = messages(
	{
		name: "settlement-messages",
		about: "Questions and answers about their weeks, and what they answered as an administrator.",
	},
	{ settlement: code(settlementNumber)(sql`about.number`) },
	sql`settlements as about
		join settlement_messages as message on message.settlement_id = about.id`,
	[sql`about.number`],
);
