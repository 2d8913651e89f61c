/**
 * POST /api/fund-requests/{id}/messages (docs/product.md §7): an administrator asks about a pending
 * request, its driver answers.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requirePortal } from "../auth/guard.server.ts";
import { writeAboutRequest } from "../domain/fund-requests/commands/message.server.ts";
import { messageJson } from "../domain/fund-requests/json.ts";
import { whyNotAnswered, whyNotAsked } from "../domain/fund-requests/refusals.ts";
import { messageInput } from "../domain/messages/input.ts";
import type { PostedMessage } from "../domain/messages/write.server.ts";
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
		const outcome = await writeAboutRequest(reader, id, input, "json");
		return outcome.ok ? messageCreated(outcome.value) : refusedCall(whyNotAsked(outcome, reader));
	}
	const outcome = await writeAboutRequest(portal.driver, id, input, "json");
	return outcome.ok
		? messageCreated(outcome.value)
		: refusedCall(whyNotAnswered(outcome, portal.driver));
}
