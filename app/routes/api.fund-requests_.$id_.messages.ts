/**
 * POST /api/fund-requests/{id}/messages (docs/product.md §7): an administrator asks about a pending
 * request, its driver answers.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requirePortal } from "../auth/guard.server.ts";
import { answerQuestion } from "../domain/fund-requests/commands/answer.server.ts";
import { askQuestion } from "../domain/fund-requests/commands/ask.server.ts";
import type { PostedMessage } from "../domain/fund-requests/commands/message.server.ts";
import { messageInput } from "../domain/fund-requests/input.ts";
import { messageJson } from "../domain/fund-requests/json.ts";
import { whyNotAnswered, whyNotAsked } from "../domain/fund-requests/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

const nothing = () => ({});
const messageCreated = (message: PostedMessage) =>
	createdResponse(messageJson(message), message.isReplay);

export async function action(args: ActionFunctionArgs) {
	const portal = await requirePortal(args, nothing, nothing);
	if (portal.kind === "visitor") throw new Error("the matrix lets no visitor in here");
	const id = args.params.id ?? "";
	const input = parseJson(args.context, messageInput, { key: idempotencyKey(args.request) });
	if (portal.kind === "reader") {
		const { reader } = portal;
		if (reader.role !== "admin") throw new Error("the matrix lets no accountant in here");
		const outcome = await askQuestion(reader, id, input, "json");
		return outcome.ok ? messageCreated(outcome.value) : refusedCall(whyNotAsked(outcome, reader));
	}
	const outcome = await answerQuestion(portal.driver, id, input, "json");
	return outcome.ok
		? messageCreated(outcome.value)
		: refusedCall(whyNotAnswered(outcome, portal.driver));
}
