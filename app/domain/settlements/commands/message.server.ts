import { eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { settlementMessages, settlements, users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { MessageInput } from "../../fund-requests/input.ts";
import { MAX_MESSAGES, type ThreadMessage } from "../../fund-requests/rules.ts";
import { messagesLately } from "../../fund-requests/thread.server.ts";
import type { AdminContext, DriverContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { MAX_MESSAGES_PER_HOUR } from "../../kernel/limits.ts";
import { displayName } from "../../people/rules.ts";
import { isPublished } from "../facts.server.ts";
import { queueWeekMessageEmail } from "../question-emails.server.ts";

/** A message with its settlement's number. */
export type WeekMessage = Omit<ThreadMessage, "position"> & {
	readonly number: number;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};
type Numbered = { readonly number: number };
export type WeekMessageRefusal =
	| Refused<"not-found" | "too-many">
	| Refused<"key-reused" | "not-published" | "no-question" | "own" | "full", Numbered>;

/**
 * Adds a message to the thread of a published settlement: its driver asks, as often as they like;
 * an administrator answers anyone but themselves, once there is a question.
 */
export async function writeAboutWeek(
	actor: AdminContext | DriverContext,
	settlementId: string,
	{ text, key }: MessageInput,
	source: "form" | "json",
): Promise<Outcome<WeekMessage, WeekMessageRefusal>> {
	const { db, user, now, role } = actor;
	const id = crypto.randomUUID();
	const isDriver = role === "driver";
	const { driverId, question, number } = settlements;
	const isOpen = isDriver
		? sql`driver_id = ${user.id}`
		: sql`driver_id <> ${user.id} and question is not null`;
	const created = await createOnce(actor, {
		table: settlementMessages,
		id,
		creator: settlementMessages.authorId,
		key,
		payload: [settlementId, text],
		facts: {
			isOpen: sql<number>`exists (select 1 from settlements
				where id = ${settlementId} and ${isPublished("settlements")} and ${isOpen})`,
			written: sql<number>`(select count(*) from settlement_messages
				where settlement_id = ${settlementId})`,
			lately: messagesLately(user.id, now),
		},
		accepts: sql`isOpen and written < ${MAX_MESSAGES}
			${isDriver ? sql`and lately < ${MAX_MESSAGES_PER_HOUR}` : sql``}`,
		values: {
			settlementId,
			position: sql`written + 1`,
			authorId: user.id,
			authorRole: role,
			text,
			source,
			createdAt: now,
		},
		audit: {
			action: isDriver ? "settlement.ask" : "settlement.answer",
			entity: "settlement-message",
			after: sql`json_object('settlementId', settlement_id, 'text', text)`,
		},
		first: {
			before: db.build
				.select({
					number,
					driverId,
					question,
					isPublished: sql<number>`${isPublished("settlements")}`.as("isPublished"),
				})
				.from(settlements)
				.where(eq(settlements.id, settlementId)),
		},
		next: (made) => ({
			mail: queueWeekMessageEmail(db.build, role, displayName(user), made, now),
		}),
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
			// To its driver, what isn't published doesn't exist.
			if (!row || (isDriver && (row.driverId !== user.id || !row.isPublished)))
				return refused("not-found");
			if (!isDriver && row.driverId === user.id) return refused("own", row);
			if (!row.isPublished) return refused("not-published", row);
			if (!isDriver && row.question === null) return refused("no-question", row);
			return created.facts.written >= MAX_MESSAGES ? refused("full", row) : refused("too-many");
		}
	}
}

/** Messages with their authors and their settlement's number. */
function messagesWithAuthors(build: Builder, rows: SQL) {
	const { id, text, authorRole, createdAt } = settlementMessages;
	const { firstName, lastName } = users;
	return build
		.select({ id, text, authorRole, createdAt, firstName, lastName, number: settlements.number })
		.from(settlementMessages)
		.innerJoin(users, eq(users.id, settlementMessages.authorId))
		.innerJoin(settlements, eq(settlements.id, settlementMessages.settlementId))
		.where(rows);
}
