/** GET and POST /api/fund-requests (docs/product.md §7). */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver, requirePortal } from "../auth/guard.server.ts";
import { submitRequest } from "../domain/fund-requests/commands/submit.server.ts";
import { submitRequestInput } from "../domain/fund-requests/input.ts";
import { requestJson } from "../domain/fund-requests/json.ts";
import { findRequest, REQUEST_LIST } from "../domain/fund-requests/queries.server.ts";
import { whyNotSubmitted } from "../domain/fund-requests/refusals.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { createdResponse, idempotencyKey, parseJson } from "../http/json.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

/** A driver's own requests, or the whole fleet's for an administrator; newest first. */
export async function loader(args: LoaderFunctionArgs) {
	const ask = parseList(args.request, {
		...LISTS["/api/fund-requests"],
		isCursor: isCursorOf(REQUEST_LIST),
	});
	const portal = await requirePortal(
		args,
		({ build }) => readList(REQUEST_LIST, ask, build),
		({ build, me }) => readList(REQUEST_LIST, ask, build, me),
	);
	if (portal.kind === "visitor") throw new Error("the matrix lets no visitor in here");
	const whose = portal.kind === "driver" ? portal.driver.user.id : undefined;
	return listResponse(
		args,
		ask,
		toListPage(REQUEST_LIST, ask, portal.answers),
		furtherPages(REQUEST_LIST, ask, args.context.db, whose),
		requestJson,
	);
}

/** Submits a request for the signed-in driver. */
export async function action(args: ActionFunctionArgs) {
	const { driver } = await requireDriver(args);
	const input = parseJson(args.context, submitRequestInput(driver.today), {
		key: idempotencyKey(args.request),
	});
	const outcome = await submitRequest(driver, input, "json");
	if (!outcome.ok) throw refusedCall(whyNotSubmitted(outcome, driver));
	const { request, isReplay } = outcome.value;
	if (!isReplay)
		return createdResponse(
			requestJson({ request, driver: driver.user, decider: null, thread: null, payout: null }),
		);
	// It may have been decided since, in which case its decider is included.
	const { rows } = await driver.db.batch({
		rows: findRequest(driver.db.build, driver.user.id, request.id),
	});
	return createdResponse(
		requestJson(
			rows[0] ?? { request, driver: driver.user, decider: null, thread: null, payout: null },
		),
		true,
	);
}
