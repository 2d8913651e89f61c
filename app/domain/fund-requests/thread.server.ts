/** Threads of messages: a request's, as every read of requests selects it in the same statement. */
import { sql } from "drizzle-orm";
import { fundRequests } from "../../db/schema.ts";
import type { ThreadMessage } from "./rules.ts";

/** A thread in the database: JSON without a guaranteed order. */
export const parseThread = (json: string): readonly ThreadMessage[] =>
	(JSON.parse(json) as ThreadMessage[]).sort((one, other) => one.position - other.position);

/** The messages of a request, newest last; null, without a read, if nobody has asked. */
export const THREAD = sql<
	readonly ThreadMessage[] | null
>`iif(${fundRequests.question} is null, null,
	(select json_group_array(json_object('id', messages.id, 'position', messages.position,
		'authorRole', messages.author_role, 'firstName', authors.first_name,
		'lastName', authors.last_name, 'text', messages.text, 'createdAt', messages.created_at))
	from request_messages as messages join users as authors on authors.id = messages.author_id
	where messages.request_id = ${fundRequests.id}))`
	.mapWith(parseThread)
	.as("thread");

/** How many messages someone has written in the last hour, about anything. */
export const messagesLately = (authorId: string, now: number) => sql<number>`(
	(select count(*) from request_messages
		where author_id = ${authorId} and created_at > ${now - 3_600_000})
	+ (select count(*) from settlement_messages
		where author_id = ${authorId} and created_at > ${now - 3_600_000}))`;
