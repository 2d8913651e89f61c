/** GET /api/analytics/driver-efficiency (docs/product.md §7). */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../auth/guard.server.ts";
import { efficiencyJson } from "../domain/analytics/json.ts";
import { selectTotalsByDriver } from "../domain/analytics/queries.server.ts";
import { checkRange, parseDateRange } from "../http/json.server.ts";
import { clampPeriod } from "../values/period.ts";

/**
 * A row for every approved driver, those at work first, then by name: all time, or the calendar
 * dates from `startDate` to `endDate`, both included and either left open.
 */
export async function loader(args: LoaderFunctionArgs) {
	const { from, to } = parseDateRange(args.request);
	const { drivers } = await requireAdmin(args, ({ build, today }) => ({
		drivers: selectTotalsByDriver(build, from || to ? clampPeriod(from, to, today) : undefined),
	}));
	checkRange(args.request);
	return json(
		[...drivers]
			.sort((one, other) => Number(other.isActive) - Number(one.isActive))
			.map(efficiencyJson),
	);
}
