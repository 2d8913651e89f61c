/** GET /api/analytics/weekly-summary (docs/product.md §7). */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireReader } from "../auth/guard.server.ts";
import { summaryJson } from "../domain/analytics/json.ts";
import { FLEET, selectTotals } from "../domain/analytics/queries.server.ts";
import { WEEK_DAYS, ZERO_TOTALS } from "../domain/analytics/rules.ts";
import { checkRange, parseDateRange } from "../http/json.server.ts";
import { clampPeriod, lastDays } from "../values/period.ts";

/** Fuel and Uber fees of the last 7 days, or of the dates in `startDate` and `endDate`. */
export async function loader(args: LoaderFunctionArgs) {
	const { from, to } = parseDateRange(args.request);
	const { week } = await requireReader(args, ({ today }) => ({
		week: selectTotals(
			FLEET,
			from || to ? clampPeriod(from, to, today) : lastDays(today, WEEK_DAYS),
		),
	}));
	checkRange(args.request);
	return json(summaryJson(week[0] ?? ZERO_TOTALS));
}
