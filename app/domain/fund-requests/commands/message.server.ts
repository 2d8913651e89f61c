import { sql } from "drizzle-orm";
import { type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext, DriverContext } from "../../kernel/context.ts";
import type { MessageInput } from "../../messages/input.ts";
import { THREADS } from "../../messages/thread.server.ts";
import {
	type PostedMessage,
	type ThreadRefusal,
	writeMessage,
} from "../../messages/write.server.ts";
import { displayName } from "../../people/rules.ts";
import { queueThreadEmail } from "../emails.server.ts";
import type { RequestWithPeople } from "../json.ts";
import { requestsWithPeople } from "../rows.server.ts";
import type { RequestSource } from "./submit.server.ts";

type ClosedThread =
	| Refused<"not-found">
	| Refused<"not-pending" | "no-question" | "own", RequestWithPeople>;
export type MessageRefusal = ClosedThread | ThreadRefusal;

/**
 * Adds a message to the thread of a pending request. An administrator asks about anyone's request
 * but their own; a driver answers about their own, once someone has asked.
 * @param capturedAt when the phone captured it, if it waited there
 */
export function writeAboutRequest(
	actor: AdminContext | DriverContext,
	requestId: string,
	input: MessageInput,
	source: RequestSource,
	capturedAt?: number,
): Promise<Outcome<PostedMessage, MessageRefusal>> {
	const { db, user, now, role } = actor;
	const isDriver = role === "driver";
	return writeMessage(actor, THREADS.request, requestId, input, {
		isOpen: isDriver
			? sql`status = 'pending' and driver_id = ${user.id} and question is not null`
			: sql`status = 'pending' and driver_id <> ${user.id}`,
		action: isDriver ? "request.answer" : "request.ask",
		before: requestsWithPeople(db.build, [requestId]),
		whyNotOpen([row]): ClosedThread | undefined {
			if (!row || (isDriver && row.request.driverId !== user.id)) return refused("not-found");
			if (!isDriver && row.request.driverId === user.id) return refused("own", row);
			if (row.request.status !== "pending") return refused("not-pending", row);
			return isDriver && row.request.question === null ? refused("no-question", row) : undefined;
		},
		email: (made) => queueThreadEmail(db.build, role, displayName(user), made, now),
		source,
		capturedAt,
	});
}
