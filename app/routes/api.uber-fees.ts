/** GET and POST /api/uber-fees (docs/product.md §7). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requirePortal } from "../auth/guard.server.ts";
import { addFee } from "../domain/uber-fees/commands/add.server.ts";
import { addFeeInput } from "../domain/uber-fees/input.ts";
import { type FeeWithDriver, feeJson, ownFeeJson } from "../domain/uber-fees/json.ts";
import { cursorOf, listFees } from "../domain/uber-fees/queries.server.ts";
import { whyNotAdded } from "../domain/uber-fees/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { firstPageSize, listResponse } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";

/** A driver's own fees, or the whole fleet's for an administrator; latest day first. */
export async function loader(args: LoaderFunctionArgs) {
	const size = firstPageSize(args.request);
	const portal = await requirePortal(
		args,
		({ build }) => ({ fees: listFees(build, undefined, size) }),
		({ build, me }) => ({ fees: listFees(build, me, size) }),
	);
	if (portal.kind === "visitor") throw new Error("visitors can't open this route");
	const { db } = args.context;
	const whose = portal.kind === "driver" ? portal.driver.user.id : undefined;
	const next = async (last: FeeWithDriver, count: number) =>
		(
			await db.batch({
				fees: listFees(db.build, whose, count, { way: "after", cursor: cursorOf(last) }),
			})
		).fees;
	return listResponse(
		args,
		portal.answers.fees,
		next,
		portal.kind === "driver" ? ownFeeJson : feeJson,
	);
}

/** Adds a fee in the signed-in administrator's name, whatever the body says. */
export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(args.context, addFeeInput(admin.today), {
		key: idempotencyKey(args.request),
	});
	const outcome = await addFee(admin, input);
	if (!outcome.ok) throw refusedCall(whyNotAdded(outcome, admin));
	return createdResponse(feeJson(outcome.value.row), outcome.value.isReplay);
}
