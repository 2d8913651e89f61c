/** DELETE /api/charges/{id} (docs/product.md, 'The week'): the row stays but isn't counted. */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { voidCharge } from "../domain/charges/commands/void.server.ts";
import { whyNotVoided } from "../domain/charges/refusals.ts";
import { noContent } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const outcome = await voidCharge(admin, args.params.id ?? "");
	return outcome.ok ? noContent() : refusedCall(whyNotVoided(outcome, admin));
}
