/** PUT /api/drivers/{id}/approve: approves an application, or an applicant rejected before. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { approveDriver } from "../domain/people/commands/approve.server.ts";
import { userJson } from "../domain/people/json.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const outcome = await approveDriver(admin, args.params.id ?? "", args.context.settings);
	return outcome.ok ? json(userJson(outcome.value)) : refusedCall(whyNotChanged(outcome, admin));
}
