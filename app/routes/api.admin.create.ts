/** POST /api/admin/create: creates an administrator, invited for 72 hours. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { createAdmin } from "../domain/people/commands/create.server.ts";
import { newPersonInput } from "../domain/people/input.ts";
import { userJson } from "../domain/people/json.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(args.context, newPersonInput, { key: idempotencyKey(args.request) });
	const outcome = await createAdmin(admin, input, args.context.settings);
	return outcome.ok
		? createdResponse(userJson(outcome.value), outcome.value.isReplay)
		: refusedCall(whyNotChanged(outcome, admin));
}
