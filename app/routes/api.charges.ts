/** GET and POST /api/charges (docs/product.md, 'The week'). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../auth/guard.server.ts";
import { addCharge } from "../domain/charges/commands/add.server.ts";
import { newChargeInput } from "../domain/charges/input.ts";
import { chargeJson } from "../domain/charges/json.ts";
import { chargeList } from "../domain/charges/queries.server.ts";
import { whyNotAdded } from "../domain/charges/refusals.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { uploadedFile } from "../http/form.server.ts";
import { createdResponse, idempotencyKey, parseJson, parseMultipart } from "../http/json.server.ts";
import { checkDriver, listResponse, parseList, queryDriver } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { isMultipart } from "../http/security.server.ts";
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

/** Adds a charge: JSON, or a form with its receipt. */
export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await requireAdmin(args);
	const schema = newChargeInput(admin.today);
	const key = { key: idempotencyKey(request) };
	const isForm = isMultipart(request.headers.get("Content-Type"));
	const input = isForm
		? await parseMultipart(context, schema, key)
		: parseJson(context, schema, key);
	const file = isForm ? await uploadedFile(context, ["receipt"]) : undefined;
	const outcome = await addCharge(admin, input, file && { bucket: context.env.RECEIPTS, file });
	if (!outcome.ok) throw refusedCall(whyNotAdded(outcome, admin));
	return createdResponse(chargeJson(outcome.value.row), outcome.value.isReplay);
}
