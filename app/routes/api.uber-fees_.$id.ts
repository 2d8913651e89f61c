/** DELETE /api/uber-fees/{id} (docs/product.md §7): the row stays and counts for nothing. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { deleteFee } from "../domain/uber-fees/commands/delete.server.ts";
import { NO_SUCH_FEE } from "../domain/uber-fees/rules.ts";
import { noContent } from "../http/json.server.ts";
import { apiRefusal } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const outcome = await deleteFee(admin, args.params.id ?? "");
	if (outcome.ok) return noContent();
	return outcome.reason === "not-found" ? apiRefusal(404, NO_SUCH_FEE) : apiRefusal(403, "Forbidden");
}
