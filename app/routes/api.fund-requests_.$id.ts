/** PUT /api/fund-requests/{id} (docs/product.md §7): an administrator's decision. */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { decisionOutcome } from "../domain/fund-requests/commands/decision.server.ts";
import { processRequests } from "../domain/fund-requests/commands/process.server.ts";
import { processRequestInput } from "../domain/fund-requests/input.ts";
import { requestJson } from "../domain/fund-requests/json.ts";
import { whyNotDecided } from "../domain/fund-requests/refusals.ts";
import { received } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const input = received(args.context, processRequestInput);
	const { decisions } = await processRequests(admin, [args.params.id ?? ""], input);
	const outcome = decisionOutcome(decisions[0]);
	return outcome.ok ? json(requestJson(outcome.value)) : refusedCall(whyNotDecided(outcome, admin));
}
