/** GET /api/analytics/driver-efficiency (docs/product.md §7). */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { efficiencyPage, readEfficiency } from "../domain/analytics/efficiency-list.server.ts";
import { efficiencyJson } from "../domain/analytics/json.ts";
import { isCursorOf } from "../domain/kernel/list.server.ts";
import { nameCursors } from "../domain/people/lists.server.ts";
import { checkRange, parseDateRange } from "../http/json.server.ts";
import { listResponse, parseList } from "../http/list.server.ts";
import { LISTS } from "../routing/api/lists.ts";
import { clampPeriod } from "../values/period.ts";

/** Fewer than of other lists, since each row sums up a driver. */
const DRIVERS_PER_PAGE = 250;

/**
 * A row for every approved driver, active ones first, then by name: for all time, or the calendar
 * dates from `startDate` to `endDate`, both included and optional.
 */
export async function loader(args: LoaderFunctionArgs) {
	const { from, to } = parseDateRange(args.request);
	const { today, db } = args.context;
	const period = from || to ? clampPeriod(from, to, today) : undefined;
	const ask = parseList(args.request, {
		...LISTS["/api/analytics/driver-efficiency"],
		isCursor: isCursorOf({ cursors: nameCursors }),
		pageSize: DRIVERS_PER_PAGE,
	});
	const found = await requireReader(args, ({ build }) => readEfficiency(build, period, ask));
	checkRange(args.request);
	return listResponse(
		args,
		ask,
		efficiencyPage(ask, found),
		async (after) =>
			efficiencyPage(ask, await db.batch(readEfficiency(db.build, period, { ...ask, after }))),
		efficiencyJson,
	);
}
