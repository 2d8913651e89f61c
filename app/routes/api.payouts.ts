/** GET and POST /api/payouts (docs/product.md, 'Payouts'). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { makePayout } from "../domain/payouts/commands/make.server.ts";
import { makePayoutBody } from "../domain/payouts/input.ts";
import { payoutJson } from "../domain/payouts/json.ts";
import { listFullPayouts } from "../domain/payouts/queries.server.ts";
import { whyNotMade } from "../domain/payouts/refusals.ts";
import { createdResponse, idempotencyKey, parseJsonAs } from "../http/json.server.ts";
import { firstPageSize, listResponse } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";

/** Payouts per page: each may have 500 requests. */
const PAGE = 50;

/** Every payout, latest first. */
export async function loader(args: LoaderFunctionArgs) {
	const size = firstPageSize(args.request, PAGE);
	const { admin, payouts } = await requireAdmin(args, ({ build }) => ({
		payouts: listFullPayouts(build, size),
	}));
	const { db } = admin;
	return listResponse(
		args,
		payouts,
		async ({ payout }, pageSize) =>
			(
				await db.batch({
					payouts: listFullPayouts(db.build, pageSize, { way: "after", cursor: payout }),
				})
			).payouts,
		payoutJson,
		PAGE,
	);
}

/** Makes a payout. */
export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const key = idempotencyKey(args.request);
	const gathering = parseJsonAs(args.context, makePayoutBody);
	const outcome = await makePayout(admin, gathering, key);
	if (!outcome.ok) throw refusedCall(whyNotMade(outcome, admin));
	return createdResponse(payoutJson(outcome.value.row), outcome.value.isReplay);
}
