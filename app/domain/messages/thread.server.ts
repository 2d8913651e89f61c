/** Threads in the database: the messages of a request or a settlement. */
import { sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { fundRequests, requestMessages, settlementMessages, settlements } from "../../db/schema.ts";
import type { ThreadMessage } from "./rules.ts";

/** What messages are about, their table, and its column that says which one. */
export const THREADS = {
	request: {
		about: fundRequests,
		messages: requestMessages,
		aboutId: requestMessages.requestId,
		entity: "request-message",
	},
	settlement: {
		about: settlements,
		messages: settlementMessages,
		aboutId: settlementMessages.settlementId,
		entity: "settlement-message",
	},
} as const;
export type ThreadKind = (typeof THREADS)[keyof typeof THREADS];

/** JSON of messages, which has no guaranteed order. */
const parseThread = (json: string): readonly ThreadMessage[] =>
	(JSON.parse(json) as ThreadMessage[]).sort((one, other) => one.position - other.position);

/**
 * The messages about a row, oldest first; null, without a read, if nobody has asked. For statements
 * that join other tables to the row's.
 */
export const threadOf = ({ about, messages, aboutId }: ThreadKind) =>
	sql<
		readonly ThreadMessage[] | null
	>`iif(${about.question} is null, null, (select json_group_array(json_object('id', message.id,
		'position', message.position, 'authorRole', message.author_role,
		'firstName', author.first_name, 'lastName', author.last_name, 'text', message.text,
		'createdAt', message.created_at))
	from ${messages} as message join users as author on author.id = message.author_id
	where message.${sql.identifier(toSnakeCase(aboutId.name))} = ${about.id}))`
		.mapWith(parseThread)
		.as("thread");

/** How many messages someone has written in the last hour, about anything. */
export const messagesLately = (authorId: string, now: number) =>
	sql<number>`(${sql.join(
		Object.values(THREADS).map(
			({ messages }) => sql`(select count(*) from ${messages}
				where author_id = ${authorId} and created_at > ${now - 3_600_000})`,
		),
		sql` + `,
	)})`;
