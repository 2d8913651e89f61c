/**
 * POST /api/settlements/{id}/messages (docs/product.md, 'The week'): a driver asks about a published
 * week, an administrator answers.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requirePortal } from "../auth/guard.server.ts";
import { messageJson } from "../domain/fund-requests/json.ts";
import { messageInput } from "../domain/messages/input.ts";
import { writeAboutWeek } from "../domain/settlements/commands/message.server.ts";
import { whyNotWritten } from "../domain/settlements/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

const nothing = () => ({});

export async function action(args: ActionFunctionArgs) {
	const portal = await requirePortal(args, nothing, nothing);
	if (portal.kind === "visitor") throw new Error("the matrix lets no visitor in here");
	const actor = portal.kind === "reader" ? portal.reader : portal.driver;
	if (actor.role === "viewer") throw new Error("the matrix lets no accountant in here");
	const input = parseJson(args.context, messageInput, { key: idempotencyKey(args.request) });
	const outcome = await writeAboutWeek(actor, args.params.id ?? "", input, "json");
	return outcome.ok
		? createdResponse(messageJson(outcome.value), outcome.value.isReplay)
		: refusedCall(whyNotWritten(outcome, actor));
}
