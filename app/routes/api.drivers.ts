/** /api/drivers: GET the approved, active drivers; POST creates one, approved at once. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../auth/guard.server.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { createDriver } from "../domain/people/commands/create.server.ts";
import { newPersonInput } from "../domain/people/input.ts";
import { userJson } from "../domain/people/json.ts";
import { APPROVED_LIST } from "../domain/people/lists.server.ts";
import { whyNotChanged } from "../domain/people/refusals.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

export async function loader(args: LoaderFunctionArgs) {
	const ask = parseList(args.request, {
		...LISTS["/api/drivers"],
		isCursor: isCursorOf(APPROVED_LIST),
	});
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		readList(APPROVED_LIST, ask, build),
	);
	return listResponse(
		args,
		ask,
		toListPage(APPROVED_LIST, ask, answers),
		furtherPages(APPROVED_LIST, ask, reader.db),
		userJson,
	);
}

export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(args.context, newPersonInput, { key: idempotencyKey(args.request) });
	const outcome = await createDriver(admin, input, args.context.settings);
	return outcome.ok
		? createdResponse(userJson(outcome.value), outcome.value.isReplay)
		: refusedCall(whyNotChanged(outcome, admin));
}
