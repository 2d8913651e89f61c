/** Questions and answers about requests and weeks, written into their threads. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder, Results, Statement } from "../../db/client.server.ts";
import type { SOURCES } from "../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import type { AdminContext, DriverContext } from "../kernel/context.ts";
import { createOnce } from "../kernel/create-once.server.ts";
import { MAX_MESSAGES_PER_HOUR } from "../kernel/limits.ts";
import type { MessageInput } from "./input.ts";
import { MAX_MESSAGES, type ThreadMessage } from "./rules.ts";
import { messagesLately, type ThreadKind } from "./thread.server.ts";

/** A message with the number of what it is about. */
export type PostedMessage = Omit<ThreadMessage, "position"> & {
	readonly number: number;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};
export type ThreadRefusal =
	| Refused<"too-many">
	| Refused<"key-reused" | "full", { readonly number: number }>;

/** What a kind of thread says about a message. */
type Rules<B extends Statement, R> = {
	/** Whether the row's thread takes a message from this author: a condition on the row. */
	readonly isOpen: SQL;
	readonly action: "request.ask" | "request.answer" | "settlement.ask" | "settlement.answer";
	/** Reads the row that it is about. */
	readonly before: B;
	/** Why it isn't open, from that row. */
	readonly whyNotOpen: (before: Results<{ before: B }>["before"]) => R | undefined;
	readonly email: (made: SQL) => Statement;
	readonly source: (typeof SOURCES)[number];
	/** When the phone captured it, if it waited there. */
	readonly capturedAt?: number | undefined;
};

/** Adds a message to a thread; the rules of its kind decide whether it is open. */
export async function writeMessage<B extends Statement, R extends Refused<string, unknown>>(
	actor: AdminContext | DriverContext,
	{ about, messages, aboutId, entity }: ThreadKind,
	id: string,
	{ text, key }: MessageInput,
	{ isOpen, action, before, whyNotOpen, email, source, capturedAt }: Rules<B, R>,
): Promise<Outcome<PostedMessage, R | ThreadRefusal>> {
	const { user, now, role } = actor;
	const created = await createOnce(actor, {
		table: messages,
		id: crypto.randomUUID(),
		creator: messages.authorId,
		key,
		payload: [id, text],
		facts: {
			number: sql<number>`(select number from ${about} where id = ${id})`,
			isOpen: sql<number>`exists (select 1 from ${about} where id = ${id} and ${isOpen})`,
			written: sql<number>`(select count(*) from ${messages} where ${aboutId} = ${id})`,
			lately: messagesLately(user.id, now),
		},
		accepts: sql`isOpen and written < ${MAX_MESSAGES}
			${role === "driver" ? sql`and lately < ${MAX_MESSAGES_PER_HOUR}` : sql``}`,
		values: {
			[aboutId.name]: id,
			position: sql`written + 1`,
			authorId: user.id,
			authorRole: role,
			text,
			source,
			createdAt: now,
			...(capturedAt !== undefined && { capturedAt }),
		},
		audit: {
			action,
			entity,
			after: sql`json_object(${sql.raw(`'${aboutId.name}'`)}, ${aboutId}, 'text', text)`,
		},
		first: { before },
		next: (made) => ({ email: email(made) }),
		read: (build: Builder, rows) =>
			build.all<Omit<PostedMessage, "isReplay">>(sql`select ${messages.id} as id,
					${messages.text} as text, ${messages.authorRole} as authorRole,
					${messages.createdAt} as createdAt, author.first_name as firstName,
					author.last_name as lastName, ${about.number} as number
				from ${messages} join users as author on author.id = ${messages.authorId}
					join ${about} on ${about.id} = ${aboutId}
				where ${rows}`),
	});
	switch (created.kind) {
		case "created":
		case "replayed":
			return done({ ...created.row, isReplay: created.kind === "replayed" });
		case "key-reused":
			return refused("key-reused", created.row);
		case "refused": {
			const { number, written } = created.facts;
			return (
				whyNotOpen(created.answers.before) ??
				(written >= MAX_MESSAGES ? refused("full", { number }) : refused("too-many"))
			);
		}
	}
}
