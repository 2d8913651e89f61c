/** GET and POST /api/agreements (docs/product.md, 'The week'). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../auth/guard.server.ts";
import { makeAgreement } from "../domain/agreements/commands/make.server.ts";
import { newAgreementInput } from "../domain/agreements/input.ts";
import { agreementJson } from "../domain/agreements/json.ts";
import { agreementList } from "../domain/agreements/queries.server.ts";
import { whyNotMade } from "../domain/agreements/refusals.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { startingWeekday } from "../domain/statements/settlement-week.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { checkDriver, listResponse, parseList, queryDriver } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

/** The agreements of everyone or of one driver, last made first. */
export async function loader(args: LoaderFunctionArgs) {
	const list = agreementList(queryDriver(args.request));
	const ask = parseList(args.request, {
		...LISTS["/api/agreements"],
		isCursor: isCursorOf(list),
	});
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		readList(list, ask, build),
	);
	checkDriver(args.request);
	return listResponse(
		args,
		ask,
		toListPage(list, ask, answers),
		furtherPages(list, ask, reader.db),
		agreementJson,
	);
}

/** Makes an agreement. */
export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	const input = parseJson(
		args.context,
		newAgreementInput(admin.today, startingWeekday(admin.settings)),
		{
			key: idempotencyKey(args.request),
		},
	);
	const outcome = await makeAgreement(admin, input);
	if (!outcome.ok) throw refusedCall(whyNotMade(outcome, admin));
	return createdResponse(agreementJson(outcome.value.row), outcome.value.isReplay);
}
