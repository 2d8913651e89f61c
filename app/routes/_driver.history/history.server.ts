/** What History & Reports shows: one page of a driver's trips and requests of a window, the newest first (docs/product.md §2, §9). */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Answer } from "../../db/client.server.ts";
import type { DriverContext } from "../../domain/context.ts";
import { historyPage } from "../../domain/history/queries.server.ts";
import { type HistoryView, merged, queryOf } from "../../domain/history/rules.ts";
import { showDate } from "../../values/calendar-date.ts";

/** Lines on one page. */
const PAGE = 25;

export function historyStatements({ build, me, timeZone }: QueryContext, view: HistoryView) {
	// One more than a page tells whether there is another.
	return historyPage(build, me, view, timeZone, PAGE + 1);
}

type Statements = ReturnType<typeof historyStatements>;
type Answers = { readonly [Name in keyof Statements]: Answer<Statements[Name]> };

export function historyFrom({ requests, logs }: Answers, view: HistoryView, { timeZone }: DriverContext) {
	const found = merged(requests, logs, timeZone, PAGE + 1);
	const items = found.slice(0, PAGE);
	const last = items.at(-1);
	const firstPage = queryOf({ ...view, after: undefined });
	return {
		range: view.range,
		type: view.type,
		window: `${showDate(view.period.from)} to ${showDate(view.period.to)}`,
		items,
		exportQuery: firstPage,
		newest: view.after ? firstPage : undefined,
		older: found.length > PAGE && last ? queryOf({ ...view, after: last }) : undefined,
	};
}
