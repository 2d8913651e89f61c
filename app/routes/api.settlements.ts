/** GET, POST and PUT /api/settlements (docs/product.md, 'The week'). */
import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin, requirePortal } from "../auth/guard.server.ts";
import { furtherPages, isCursorOf, readList, toListPage } from "../domain/kernel/list.server.ts";
import { draftWeek } from "../domain/settlements/commands/draft.server.ts";
import { publishSettlements } from "../domain/settlements/commands/publish.server.ts";
import { voidSettlements } from "../domain/settlements/commands/void.server.ts";
import { changeSettlementsBody, draftWeekBody } from "../domain/settlements/input.ts";
import { settlementJson } from "../domain/settlements/json.ts";
import { settlementList } from "../domain/settlements/queries.server.ts";
import { whyNotDrafted, whyNotPublished, whyNotVoided } from "../domain/settlements/refusals.ts";
import type { SettlementRow } from "../domain/settlements/rows.server.ts";
import { parseFilters } from "../domain/settlements/search.ts";
import { toSettlement } from "../domain/settlements/settlement.ts";
import { readWeek } from "../domain/settlements/whole-week.server.ts";
import { startingWeekday } from "../domain/statements/settlement-week.ts";
import { parseJsonAs } from "../http/json.server.ts";
import { checkDriver, listResponse, parseList } from "../http/list.server.ts";
import { apiRefusal, refusedCall } from "../http/refusal.ts";
import { LISTS } from "../routing/api/lists.ts";

/** Settlements per page: drafts are worked out as they are read. */
const PAGE = 100;

const show = (row: SettlementRow) => settlementJson(toSettlement(row));

/** Refuses what `parseFilters` leaves out. */
function checkFilters(request: Request) {
	checkDriver(request);
	const query = new URL(request.url).searchParams;
	const filters = parseFilters(query);
	const words = { week: "must be a date", status: "must be a settlement's status" } as const;
	for (const name of ["week", "status"] as const)
		if (query.get(name) && !filters[name])
			throw apiRefusal(400, `${name} ${words[name]}`, { [name]: [words[name]] });
}

/** The settlements that match, latest first: everyone's, or a driver's own published ones. */
export async function loader(args: LoaderFunctionArgs) {
	const filters = parseFilters(new URL(args.request.url).searchParams);
	const [everyones, own] = [settlementList(filters, false), settlementList(filters, true)];
	const ask = parseList(args.request, {
		...LISTS["/api/settlements"],
		isCursor: isCursorOf(everyones),
		pageSize: PAGE,
	});
	const portal = await requirePortal(
		args,
		({ build }) => readList(everyones, ask, build),
		({ build, me }) => readList(own, ask, build, me),
	);
	if (portal.kind === "visitor") throw new Error("visitors can't open this route");
	checkFilters(args.request);
	const [list, { db }, whose] =
		portal.kind === "driver"
			? [own, portal.driver, portal.driver.user.id]
			: [everyones, portal.reader];
	return listResponse(
		args,
		ask,
		toListPage(list, ask, portal.answers),
		furtherPages(list, ask, db, whose),
		show,
	);
}

/** Drafts a week, or publishes or voids several settlements. */
export async function action(args: ActionFunctionArgs) {
	const { admin } = await requireAdmin(args);
	if (args.request.method === "PUT") {
		const { ids, status, results } = parseJsonAs(args.context, changeSettlementsBody);
		if (status === "published") {
			const outcome = await publishSettlements(admin, ids, results ?? {});
			if (!outcome.ok) return refusedCall(whyNotPublished(outcome, admin));
			return json(outcome.value.map(show));
		}
		const outcome = await voidSettlements(admin, ids);
		return outcome.ok ? json(outcome.value.map(show)) : refusedCall(whyNotVoided(outcome, admin));
	}
	const body = draftWeekBody(admin.today, startingWeekday(admin.settings));
	const { week, driverIds } = parseJsonAs(args.context, body);
	const outcome = await draftWeek(admin, week, driverIds);
	if (!outcome.ok) return refusedCall(whyNotDrafted(outcome, admin));
	const isNew = outcome.value.made > 0;
	const rows = await readWeek(admin, week, driverIds, isNew);
	return json(rows.map(show), { status: isNew ? 201 : 200 });
}
