/** GET and POST /api/uber-fees (docs/product.md §7). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requirePortal } from "../auth/guard.server.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { FEE_LIST } from "../domain/statements/fee-list.server.ts";
import { addFee } from "../domain/uber-fees/commands/add.server.ts";
import { addFeeInput } from "../domain/uber-fees/input.ts";
import { feeJson, ownFeeJson } from "../domain/uber-fees/json.ts";
import { whyNotAdded } from "../domain/uber-fees/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

/** A driver's own fees, or the whole fleet's for an administrator; latest day first. */
export async function loader(args: LoaderFunctionArgs) {
	const ask = parseList(args.request, {
		...LISTS["/api/uber-fees"],
		isCursor: isCursorOf(FEE_LIST),
	});
	const portal = await requirePortal(
		args,
		({ build }) => readList(FEE_LIST, ask, build),
		({ build, me }) => readList(FEE_LIST, ask, build, me),
	);
	if (portal.kind === "visitor") throw new Error("visitors can't open this route");
	const whose = portal.kind === "driver" ? portal.driver.user.id : undefined;
	return listResponse(
		args,
		ask,
		toListPage(FEE_LIST, ask, portal.answers),
		furtherPages(FEE_LIST, ask, args.context.db, whose),
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
