/** What asking about a request and answering share: a message in its thread. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { fundRequests, requestMessages, users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext, DriverContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { MAX_MESSAGES_PER_HOUR } from "../../kernel/limits.ts";
import { displayName } from "../../people/rules.ts";
import { queueMessageEmail } from "../emails.server.ts";
import type { MessageInput } from "../input.ts";
import type { RequestWithPeople } from "../json.ts";
import { requestsWithPeople } from "../rows.server.ts";
import { MAX_MESSAGES, type ThreadMessage } from "../rules.ts";
import { messagesLately } from "../thread.server.ts";
import type { RequestSource } from "./submit.server.ts";

/** A message with its request's number. */
export type PostedMessage = Omit<ThreadMessage, "position"> & {
	readonly number: number;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};
export type MessageRefusal =
	| Refused<"not-found" | "too-many">
	| Refused<"key-reused", { readonly number: number }>
	| Refused<"not-pending" | "full" | "no-question" | "own", RequestWithPeople>;

/**
 * Adds a message to the thread of a pending request. An administrator asks about anyone's request
 * but their own; a driver answers about their own, once someone has asked.
 * @param capturedAt when the phone captured it, if it waited there
 */
export async function postMessage(
	actor: AdminContext | DriverContext,
	requestId: string,
	{ text, key }: MessageInput,
	source: RequestSource,
	capturedAt?: number,
): Promise<Outcome<PostedMessage, MessageRefusal>> {
	const { db, user, now, role } = actor;
	const id = crypto.randomUUID();
	const isDriver = role === "driver";
	const request = (more: SQL) =>
		sql<number>`exists (select 1 from fund_requests where id = ${requestId} and ${more})`;
	const created = await createOnce(actor, {
		table: requestMessages,
		id,
		creator: requestMessages.authorId,
		key,
		payload: [requestId, text],
		facts: {
			isOpen: isDriver
				? request(sql`status = 'pending' and driver_id = ${user.id} and question is not null`)
				: request(sql`status = 'pending' and driver_id <> ${user.id}`),
			written: sql<number>`(select count(*) from request_messages where request_id = ${requestId})`,
			lately: messagesLately(user.id, now),
		},
		accepts: sql`isOpen and written < ${MAX_MESSAGES}
			${isDriver ? sql`and lately < ${MAX_MESSAGES_PER_HOUR}` : sql``}`,
		values: {
			requestId,
			position: sql`written + 1`,
			authorId: user.id,
			authorRole: role,
			text,
			source,
			createdAt: now,
			capturedAt,
		},
		audit: {
			action: isDriver ? "request.answer" : "request.ask",
			entity: "request-message",
			after: sql`json_object('requestId', request_id, 'text', text)`,
		},
		first: { before: requestsWithPeople(db.build, [requestId]) },
		next: (made) => ({ mail: queueMessageEmail(db.build, role, displayName(user), made, now) }),
		read: messagesWithAuthors,
	});
	switch (created.kind) {
		case "created":
		case "replayed":
			return done({ ...created.row, isReplay: created.kind === "replayed" });
		case "key-reused":
			return refused("key-reused", created.row);
		case "refused": {
			const [row] = created.answers.before;
			if (!row || (isDriver && row.request.driverId !== user.id)) return refused("not-found");
			if (!isDriver && row.request.driverId === user.id) return refused("own", row);
			if (row.request.status !== "pending") return refused("not-pending", row);
			if (isDriver && row.request.question === null) return refused("no-question", row);
			return created.facts.written >= MAX_MESSAGES ? refused("full", row) : refused("too-many");
		}
	}
}

/** Messages with their authors and their request's number. */
function messagesWithAuthors(build: Builder, rows: SQL) {
	const { id, text, authorRole, createdAt } = requestMessages;
	const { firstName, lastName } = users;
	const { number } = fundRequests;
	return build
		.select({ id, text, authorRole, createdAt, firstName, lastName, number })
		.from(requestMessages)
		.innerJoin(users, eq(users.id, requestMessages.authorId))
		.innerJoin(fundRequests, eq(fundRequests.id, requestMessages.requestId))
		.where(rows);
}
