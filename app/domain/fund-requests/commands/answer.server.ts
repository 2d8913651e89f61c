import type { Outcome } from "../../../values/outcome.ts";
import type { DriverContext } from "../../kernel/context.ts";
import type { MessageInput } from "../input.ts";
import { type MessageRefusal, type PostedMessage, postMessage } from "./message.server.ts";
import type { RequestSource } from "./submit.server.ts";

/**
 * Answers a question about one's own pending request with text.
 * @param capturedAt when the phone captured it, if it waited there
 */
export function answerQuestion(
	driver: DriverContext,
	requestId: string,
	input: MessageInput,
	source: RequestSource,
	capturedAt?: number,
): Promise<Outcome<PostedMessage, MessageRefusal>> {
	return postMessage(driver, requestId, input, source, capturedAt);
}
