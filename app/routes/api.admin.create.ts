/** POST /api/admin/create: makes an administrator, invited for 72 hours. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { createAdmin } from "../domain/drivers/commands/create.server.ts";
import { newPersonInput } from "../domain/drivers/input.ts";
import { whyRefused } from "../domain/drivers/rules.ts";
import { userJson } from "../domain/users/json.ts";
import { created, idempotencyKey, received, statusOf } from "../http/json.server.ts";
import { apiRefusal } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const input = received(args.context, newPersonInput, { key: idempotencyKey(args.request) });
	const outcome = await createAdmin(admin, input, args.context.settings);
	return outcome.ok
		? created(userJson(outcome.value), outcome.value.isReplay)
		: apiRefusal(statusOf(outcome), whyRefused(outcome, admin.timeZone));
}
