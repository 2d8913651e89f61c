/**
 * GET and PUT /api/payouts/{id} (docs/product.md, 'Payouts'): a payout, and marking it as paid,
 * cancelling it or reopening it.
 */
import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../auth/guard.server.ts";
import { payPayout } from "../domain/payouts/commands/pay.server.ts";
import { changePayoutInput, paymentInput, reopenPayoutInput } from "../domain/payouts/input.ts";
import { payoutJson } from "../domain/payouts/json.ts";
import { findPayout } from "../domain/payouts/queries.server.ts";
import { whyNotCancelled, whyNotPaid, whyNotReopened } from "../domain/payouts/refusals.ts";
import { parseJson } from "../http/json.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
	const id = args.params.id ?? "";
	const { found } = await requireReader(args, ({ build }) => ({ found: findPayout(build, id) }));
	const [row] = found;
	return row ? json(payoutJson(row)) : apiRefusal(404, "Payout not found");
}

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const id = args.params.id ?? "";
	const { status } = parseJson(args.context, changePayoutInput);
	if (status === "paid") {
		const outcome = await payPayout(admin, id, parseJson(args.context, paymentInput(admin.today)));
		return outcome.ok ? json(payoutJson(outcome.value)) : refusedCall(whyNotPaid(outcome, admin));
	}
	if (status === "cancelled") {
		const { cancelPayout } = await import("../domain/payouts/commands/cancel.server.ts");
		const outcome = await cancelPayout(admin, id);
		return outcome.ok
			? json(payoutJson(outcome.value))
			: refusedCall(whyNotCancelled(outcome, admin));
	}
	const { reason } = parseJson(args.context, reopenPayoutInput);
	const { reopenPayout } = await import("../domain/payouts/commands/reopen.server.ts");
	const outcome = await reopenPayout(admin, id, reason);
	return outcome.ok ? json(payoutJson(outcome.value)) : refusedCall(whyNotReopened(outcome, admin));
}
