/** PUT /api/drivers/{id}/reject: rejects an application. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { rejectDriver } from "../domain/people/commands/reject.server.ts";
import { userJson } from "../domain/people/json.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const outcome = await rejectDriver(admin, args.params.id ?? "", args.context.settings);
	return outcome.ok ? json(userJson(outcome.value)) : refusedCall(whyNotChanged(outcome, admin));
}
