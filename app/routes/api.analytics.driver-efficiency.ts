/** GET /api/analytics/driver-efficiency (docs/product.md §7). */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { efficiencyJson } from "../domain/analytics/json.ts";
import {
	DRIVERS_PER_PAGE,
	type DriverTotals,
	selectTotalsPage,
} from "../domain/analytics/queries.server.ts";
import { checkRange, parseDateRange } from "../http/json.server.ts";
import { limitLists, streamJsonPages } from "../http/list.server.ts";
import { clampPeriod } from "../values/period.ts";

/**
 * A row for every approved driver, active ones first, then by name: for all time, or the calendar
 * dates from `startDate` to `endDate`, both included and optional.
 */
export async function loader(args: LoaderFunctionArgs) {
	const { from, to } = parseDateRange(args.request);
	const { today, db } = args.context;
	const period = from || to ? clampPeriod(from, to, today) : undefined;
	const { active, inactive } = await requireAdmin(args, ({ build }) => ({
		active: selectTotalsPage(build, period, { isActive: true }),
		inactive: selectTotalsPage(build, period, { isActive: false }),
	}));
	checkRange(args.request);
	async function* everyone(): AsyncGenerator<readonly DriverTotals[]> {
		for (const isActive of [true, false]) {
			for (let page = isActive ? active : inactive; ; ) {
				yield page;
				if (page.length < DRIVERS_PER_PAGE) break;
				({ page } = await db.batch({
					page: selectTotalsPage(db.build, period, { after: page.at(-1), isActive }),
				}));
			}
		}
	}
	if (Math.max(active.length, inactive.length) >= DRIVERS_PER_PAGE) await limitLists(args.context);
	return streamJsonPages(args.context, everyone(), efficiencyJson);
}
