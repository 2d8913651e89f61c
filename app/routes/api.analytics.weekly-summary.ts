/** GET /api/analytics/weekly-summary (docs/product.md §7). */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { asAdmin } from "../auth/guard.server.ts";
import { summaryJson } from "../domain/analytics/json.ts";
import { FLEET, totalsOf } from "../domain/analytics/queries.server.ts";
import { NOTHING, WEEK_DAYS } from "../domain/analytics/rules.ts";
import { checkRange, rangeOf } from "../http/json.server.ts";
import { lastDays, withinReach } from "../values/period.ts";

/** Fuel and Uber fees of the last 7 days; of other dates when `startDate` or `endDate` says so. */
export async function loader(args: LoaderFunctionArgs) {
	const { from, to } = rangeOf(args.request);
	const { week } = await asAdmin(args, ({ build, today }) => ({
		week: totalsOf(build, FLEET, from || to ? withinReach(from, to, today) : lastDays(today, WEEK_DAYS)),
	}));
	checkRange(args.request);
	return json(summaryJson(week[0] ?? NOTHING));
}
