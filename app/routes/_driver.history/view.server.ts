/**
 * What the screen shows: History & Reports (docs/product.md §2): a driver's trips and requests in a
 * window, newest first.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireDriver } from "../../auth/guard.server.ts";
import { selectTotals } from "../../domain/analytics/queries.server.ts";
import { ZERO_TOTALS } from "../../domain/analytics/rules.ts";
import { selectClosedUntil } from "../../domain/archive/closed-years.server.ts";
import { toRequestView } from "../../domain/fund-requests/driver-view.ts";
import { findRequest } from "../../domain/fund-requests/queries.server.ts";
import { MAX_ADDED, selectPaid } from "../../domain/history/queries.server.ts";
import { parseSearch } from "../../domain/history/search.ts";
import { findArchivedEntry } from "../../domain/mileage/archived.server.ts";
import { findOwnEntry } from "../../domain/mileage/queries.server.ts";
import { formatDriverCode } from "../../domain/people/rules.ts";
import { yearChoices } from "../../domain/reports/rules.ts";
import { selectYearsWithEntries } from "../../domain/reports/years.server.ts";
import { toViewer } from "../../ui/viewer.ts";
import { type CalendarDate, startOfYear } from "../../values/calendar-date.ts";
import { describeCapture } from "../../values/captured.ts";
import type { Period } from "../../values/period.ts";
import { isRowId } from "../../values/row-id.ts";
import { historyFrom, historyStatements } from "./history.server.ts";

/** From January 1 through today. */
const yearToDate = (today: CalendarDate): Period => ({
	from: startOfYear(today),
	to: today,
});

/** The row that a URL opens, by its kind and id. */
function readOpen(query: URLSearchParams): readonly [trip: string, request: string] {
	const [, kind, id] = /^(mileage|request)-(.+)$/.exec(query.get("open") ?? "") ?? [];
	if (!isRowId(id)) return ["", ""];
	return kind === "mileage" ? [id, ""] : ["", id];
}

/** Everything the screen shows, in one trip to the database. */
export async function historyView(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const query = new URL(args.request.url).searchParams;
	const view = parseSearch(query, today, settings.timeZone);
	const [openTrip, openRequest] = readOpen(query);
	const { driver, entries, year, trip, closed, request, paid, ...answers } = await requireDriver(
		args,
		(asking) => ({
			...historyStatements(asking, view),
			paid: selectPaid(asking.build, asking.me, view, settings.timeZone),
			entries: selectYearsWithEntries(asking.me),
			year: selectTotals(asking.me, yearToDate(today)),
			trip: openTrip ? findOwnEntry(asking.build, asking.me, openTrip) : undefined,
			closed: openTrip ? selectClosedUntil(asking.build) : undefined,
			request: openRequest ? findRequest(asking.build, asking.me, openRequest) : undefined,
		}),
	);
	const log = trip[0] ?? (await findArchivedEntry(driver, closed, openTrip));
	return {
		viewer: toViewer(driver),
		driverId: formatDriverCode(driver.user.driverNumber) ?? driver.user.id,
		today,
		...historyFrom(answers, view, driver),
		/** Of the approved requests shown; absent if there are too many to add up. */
		paid: paid.find(({ requests }) => requests <= MAX_ADDED),
		thisYear: { name: today.slice(0, 4), totals: year[0] ?? ZERO_TOTALS },
		openTrip: log && {
			...log,
			captured:
				log.capturedAt === null
					? undefined
					: describeCapture(settings.timeZone, log.capturedAt, log.createdAt),
		},
		openRequest: request[0] && toRequestView(request[0], driver),
		years: yearChoices(
			entries.map(({ day }) => day),
			today,
		),
	};
}

export type HistoryData = Awaited<ReturnType<typeof historyView>>;
