/** PUT /api/drivers/{id}/approve: approves an application, or mends a rejection. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { approveDriver } from "../domain/drivers/commands/approve.server.ts";
import { whyRefused } from "../domain/drivers/rules.ts";
import { userJson } from "../domain/users/json.ts";
import { statusOf } from "../http/json.server.ts";
import { apiRefusal } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const outcome = await approveDriver(admin, args.params.id ?? "", args.context.settings);
	return outcome.ok ? json(userJson(outcome.value)) : apiRefusal(statusOf(outcome), whyRefused(outcome, admin.timeZone));
}
