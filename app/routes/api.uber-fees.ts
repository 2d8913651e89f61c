/** GET and POST /api/uber-fees (docs/product.md §7). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin, inPortal } from "../auth/guard.server.ts";
import { type AddRefusal, addFee } from "../domain/uber-fees/commands/add.server.ts";
import { addFeeInput } from "../domain/uber-fees/input.ts";
import { type FeeWithDriver, feeJson, ownFeeJson } from "../domain/uber-fees/json.ts";
import { cursorOf, listFees } from "../domain/uber-fees/queries.server.ts";
import { FEE_NOT_TO_REPLACE, NO_SUCH_DRIVER } from "../domain/uber-fees/rules.ts";
import { created, idempotencyKey, listed, received, rowsToRead } from "../http/json.server.ts";
import { apiRefusal } from "../http/refusal.ts";
import { KEY_REUSED } from "../values/fields.ts";

/** A driver's own fees, the whole fleet's for an administrator; the latest day first. */
export async function loader(args: LoaderFunctionArgs) {
	const size = rowsToRead(args.request);
	const portal = await inPortal(
		args,
		({ build }) => ({ fees: listFees(build, undefined, size) }),
		({ build, me }) => ({ fees: listFees(build, me, size) }),
	);
	if (portal.kind === "visitor") throw new Error("the matrix lets no visitor in here");
	const { db } = args.context;
	const whose = portal.kind === "driver" ? portal.driver.user.id : undefined;
	const next = async (last: FeeWithDriver, count: number) =>
		(await db.batch({ fees: listFees(db.build, whose, count, { way: "after", cursor: cursorOf(last) }) })).fees;
	return listed(args.request, portal.answers.fees, next, portal.kind === "driver" ? ownFeeJson : feeJson);
}

/** Adds a fee for the administrator who asks, whatever the body says about that. */
export async function action(args: ActionFunctionArgs) {
	const { admin } = await asAdmin(args);
	const input = received(args.context, addFeeInput(admin.today), { key: idempotencyKey(args.request) });
	const outcome = await addFee(admin, input);
	if (!outcome.ok) throw refusedCall(outcome);
	return created(feeJson(outcome.value.row), outcome.value.isReplay);
}

function refusedCall(refusal: AddRefusal): Response {
	switch (refusal.reason) {
		case "key-reused":
			return apiRefusal(422, KEY_REUSED);
		case "no-such-driver":
			return apiRefusal(400, NO_SUCH_DRIVER, { driverId: [NO_SUCH_DRIVER] });
		case "not-to-replace":
			return apiRefusal(409, FEE_NOT_TO_REPLACE);
	}
}
