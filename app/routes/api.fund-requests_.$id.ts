/**
 * PUT /api/fund-requests/{id} (docs/product.md §7): an administrator decides a request or reopens
 * it.
 */
import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { decisionOutcome } from "../domain/fund-requests/commands/decision.server.ts";
import { processRequests } from "../domain/fund-requests/commands/process.server.ts";
import { reopenRequest } from "../domain/fund-requests/commands/reopen.server.ts";
import { changeRequestInput } from "../domain/fund-requests/input.ts";
import { requestJson } from "../domain/fund-requests/json.ts";
import { whyNotDecided, whyNotReopened } from "../domain/fund-requests/refusals.ts";
import { parseJson } from "../http/json.server.ts";
import { refusedCall } from "../http/refusal.ts";

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const { status, adminNotes, approvedAmount } = parseJson(args.context, changeRequestInput);
	const id = args.params.id ?? "";
	if (status === "pending") {
		const outcome = await reopenRequest(admin, id, adminNotes);
		return outcome.ok
			? json(requestJson(outcome.value))
			: refusedCall(whyNotReopened(outcome, admin));
	}
	const { decisions } = await processRequests(admin, [id], { status, adminNotes, approvedAmount });
	const outcome = decisionOutcome(decisions[0]);
	return outcome.ok ? json(requestJson(outcome.value)) : refusedCall(whyNotDecided(outcome, admin));
}
