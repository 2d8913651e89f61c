/** PUT /api/drivers/{id}/toggle: activates an inactive person, deactivates an active one. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { setDriverActive } from "../domain/drivers/commands/set-active.server.ts";
import { whyRefused } from "../domain/drivers/rules.ts";
import { userJson } from "../domain/users/json.ts";
import { statusOf } from "../http/json.server.ts";
import { apiRefusal } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const outcome = await setDriverActive(admin, args.params.id ?? "");
	return outcome.ok ? json(userJson(outcome.value)) : apiRefusal(statusOf(outcome), whyRefused(outcome, admin.timeZone));
}
