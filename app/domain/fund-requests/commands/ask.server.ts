import type { Outcome } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import type { MessageInput } from "../input.ts";
import { type MessageRefusal, type PostedMessage, postMessage } from "./message.server.ts";

/** Asks the driver of a pending request about it. It stays pending and can be decided. */
export function askQuestion(
	admin: AdminContext,
	requestId: string,
	input: MessageInput,
	source: "form" | "json",
): Promise<Outcome<PostedMessage, MessageRefusal>> {
	return postMessage(admin, requestId, input, source);
}
