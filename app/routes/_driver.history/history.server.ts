/**
 * What History & Reports shows: one page of a driver's trips and requests in a window, newest first
 * (docs/product.md §2, §9).
 */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Results } from "../../db/client.server.ts";
import { selectTotals } from "../../domain/analytics/queries.server.ts";
import { ZERO_TOTALS } from "../../domain/analytics/rules.ts";
import { historyPage } from "../../domain/history/queries.server.ts";
import { type HistoryItem, mergeHistory } from "../../domain/history/rules.ts";
import {
	formatSearch,
	type HistoryCursor,
	type HistorySearch,
} from "../../domain/history/search.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { formatPeriod } from "../../values/period.ts";

/** Lines per page: two a day, so that a month fits. */
export const PAGE = 60;

export function historyStatements({ build, me, timeZone }: QueryContext, view: HistorySearch) {
	return {
		// One extra row shows whether there is a next page.
		...historyPage(build, me, view, timeZone, PAGE + 1),
		totals: selectTotals(me, view.period),
	};
}

type Found = Results<ReturnType<typeof historyStatements>>;

export function historyFrom(
	{ requests, logs, totals }: Found,
	view: HistorySearch,
	{ timeZone }: DriverContext,
) {
	const { position } = view;
	const found = mergeHistory(requests, logs, timeZone, PAGE + 1, position?.way === "before");
	const page = toPage<HistoryItem, HistoryCursor>(found, position, PAGE, (item) => item);
	const addressOf = (at: HistorySearch["position"]) =>
		`/history${formatSearch({ ...view, position: at })}`;
	return {
		range: view.range,
		type: view.type,
		window: formatPeriod(view.period),
		items: page.rows,
		/** For the whole window, however many pages it has. */
		totals: totals[0] ?? ZERO_TOTALS,
		/** The URL of this page, which a row's link and a closed dialog use. */
		here: formatSearch(view),
		exportQuery: formatSearch({ ...view, position: undefined }),
		pages: pageLinks(position, page, addressOf),
	};
}
