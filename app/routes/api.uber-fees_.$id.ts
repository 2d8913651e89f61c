/** DELETE /api/uber-fees/{id} (docs/product.md §7): the row stays but isn't counted. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { deleteFee } from "../domain/uber-fees/commands/delete.server.ts";
import { whyNotDeleted } from "../domain/uber-fees/refusals.ts";
import { noContent } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const outcome = await deleteFee(admin, args.params.id ?? "");
	return outcome.ok ? noContent() : refusedCall(whyNotDeleted(outcome, admin));
}
