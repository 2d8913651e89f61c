/** GET and POST /api/payouts (docs/product.md, 'Payouts'). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requireReader } from "../auth/guard.server.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { makePayout } from "../domain/payouts/commands/make.server.ts";
import { makePayoutBody } from "../domain/payouts/input.ts";
import { payoutJson } from "../domain/payouts/json.ts";
import { payoutList } from "../domain/payouts/queries.server.ts";
import { whyNotMade } from "../domain/payouts/refusals.ts";
import { parseFilters } from "../domain/payouts/search.ts";
import { checkRange, createdResponse, idempotencyKey, parseJsonAs } from "../http/json.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

/** Payouts per page: each may have 500 requests. */
const PAGE = 50;

/** Refuses what `parseFilters` leaves out. */
function checkFilters(request: Request) {
	checkRange(request, ["paidFrom", "paidTo"]);
	const query = new URL(request.url).searchParams;
	const filters = parseFilters(query, "driverId");
	const words = { driverId: "must be a driver's id", status: "must be a payout's status" };
	for (const [name, must] of Object.entries(words)) {
		const isRead = name === "status" ? filters.status : filters.driver;
		if (query.get(name) && !isRead) throw apiRefusal(400, `${name} ${must}`, { [name]: [must] });
	}
}

/** The payouts that match the filters, whole, latest first; at most PAGE per page. */
export async function loader(args: LoaderFunctionArgs) {
	const list = payoutList(parseFilters(new URL(args.request.url).searchParams, "driverId"));
	const ask = parseList(args.request, {
		...LISTS["/api/payouts"],
		isCursor: isCursorOf(list),
		pageSize: PAGE,
	});
	const { reader, ...answers } = await requireReader(args, ({ build }) =>
		readList(list, ask, build),
	);
	checkFilters(args.request);
	return listResponse(
		args,
		ask,
		toListPage(list, ask, answers),
		furtherPages(list, ask, reader.db),
		payoutJson,
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
