/** POST /api/admin/create: creates an administrator or an accountant, invited for 72 hours. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { createAdmin, createViewer } from "../domain/people/commands/create.server.ts";
import { newAdminInput } from "../domain/people/input.ts";
import { userJson } from "../domain/people/json.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(args.context, newAdminInput, { key: idempotencyKey(args.request) });
	const create = input.role === "viewer" ? createViewer : createAdmin;
	const outcome = await create(admin, input, args.context.settings);
	return outcome.ok
		? createdResponse(userJson(outcome.value), outcome.value.isReplay)
		: refusedCall(whyNotChanged(outcome, admin));
}
