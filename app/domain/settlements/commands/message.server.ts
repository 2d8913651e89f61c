import { eq, sql } from "drizzle-orm";
import { settlements } from "../../../db/schema.ts";
import { type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext, DriverContext } from "../../kernel/context.ts";
import type { MessageInput } from "../../messages/input.ts";
import { THREADS } from "../../messages/thread.server.ts";
import {
	type PostedMessage,
	type ThreadRefusal,
	writeMessage,
} from "../../messages/write.server.ts";
import { isPseudonymized } from "../../people/pseudonymized.server.ts";
import { displayName } from "../../people/rules.ts";
import { isPublished } from "../facts.server.ts";
import { queueQuestionEmail } from "../question-emails.server.ts";

type ClosedThread =
	| Refused<"not-found">
	| Refused<"not-published" | "no-question" | "own" | "pseudonymized", { readonly number: number }>;
export type WeekMessageRefusal = ClosedThread | ThreadRefusal;

/**
 * Adds a message to the thread of a published settlement: its driver asks, as often as they like;
 * an administrator answers anyone but themselves, once there is a question.
 */
export function writeAboutWeek(
	actor: AdminContext | DriverContext,
	settlementId: string,
	input: MessageInput,
	source: "form" | "json",
): Promise<Outcome<PostedMessage, WeekMessageRefusal>> {
	const { db, user, now, role } = actor;
	const isDriver = role === "driver";
	const { driverId, question, number } = settlements;
	const isOfFormer = isPseudonymized(driverId);
	return writeMessage(actor, THREADS.settlement, settlementId, input, {
		isOpen: sql`${isPublished("settlements")} and ${
			isDriver
				? sql`driver_id = ${user.id}`
				: sql`driver_id <> ${user.id} and question is not null and not ${isOfFormer}`
		}`,
		action: isDriver ? "settlement.ask" : "settlement.answer",
		before: db.build
			.select({
				number,
				driverId,
				question,
				isPublished: sql<number>`${isPublished("settlements")}`.as("isPublished"),
				isOfFormer: isOfFormer.as("isOfFormer"),
			})
			.from(settlements)
			.where(eq(settlements.id, settlementId)),
		whyNotOpen([row]): ClosedThread | undefined {
			// To its driver, an unpublished week doesn't exist.
			if (!row || (isDriver && (row.driverId !== user.id || !row.isPublished)))
				return refused("not-found");
			if (!isDriver && row.driverId === user.id) return refused("own", row);
			if (!row.isPublished) return refused("not-published", row);
			if (!isDriver && row.question === null) return refused("no-question", row);
			return row.isOfFormer ? refused("pseudonymized", row) : undefined;
		},
		email: (made) => queueQuestionEmail(db.build, role, displayName(user), made, now),
		source,
	});
}
