/** GET and POST /api/charges (docs/product.md, 'The week'). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../auth/guard.server.ts";
import { addCharge } from "../domain/charges/commands/add.server.ts";
import { newChargeInput } from "../domain/charges/input.ts";
import { chargeJson } from "../domain/charges/json.ts";
import { chargeList } from "../domain/charges/queries.server.ts";
import { whyNotAdded } from "../domain/charges/refusals.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { checkDriver, listResponse, parseList, queryDriver } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

/** The charges of everyone or of one driver, latest date first. */
export async function loader(args: LoaderFunctionArgs) {
	const list = chargeList(queryDriver(args.request));
	const ask = parseList(args.request, { ...LISTS["/api/charges"], isCursor: isCursorOf(list) });
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		readList(list, ask, build),
	);
	checkDriver(args.request);
	return listResponse(
		args,
		ask,
		toListPage(list, ask, answers),
		furtherPages(list, ask, reader.db),
		chargeJson,
	);
}

/** Adds a charge. */
export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(args.context, newChargeInput(admin.today), {
		key: idempotencyKey(args.request),
	});
	const outcome = await addCharge(admin, input);
	if (!outcome.ok) throw refusedCall(whyNotAdded(outcome, admin));
	return createdResponse(chargeJson(outcome.value.row), outcome.value.isReplay);
}
