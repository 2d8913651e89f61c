/** PUT /api/drivers/{id}/toggle: activates an inactive person, deactivates an active one. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { setDriverActive } from "../domain/people/commands/set-active.server.ts";
import { userJson } from "../domain/people/json.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const outcome = await setDriverActive(admin, args.params.id ?? "");
	return outcome.ok ? json(userJson(outcome.value)) : refusedCall(whyNotChanged(outcome, admin));
}
