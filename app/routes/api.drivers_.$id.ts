/** DELETE /api/drivers/{id}: deactivates; every session ends at once. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { setDriverActive } from "../domain/people/commands/set-active.server.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { noContent } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const outcome = await setDriverActive(admin, args.params.id ?? "", false);
	return outcome.ok ? noContent() : refusedCall(whyNotChanged(outcome, admin));
}
