/** What Mileage Reports & Analytics shows of a window: what it cost by driver, what to look into, and the entries that can be voided (docs/product.md §2). */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Answer } from "../../db/client.server.ts";
import { calledOf, MOST_COUNTED, ranked, recommendationsFor, summed, tierCounts } from "../../domain/analytics/insights.ts";
import { totalsByDriver } from "../../domain/analytics/queries.server.ts";
import { costPerMile, TARGET_CENTS } from "../../domain/analytics/rules.ts";
import { formatSearch, type ReportSearch } from "../../domain/analytics/search.ts";
import type { AdminContext } from "../../domain/context.ts";
import { entriesOf, flaggedEntries, flaggedOwners } from "../../domain/mileage/review.server.ts";
import { showDate } from "../../values/calendar-date.ts";
import { pageLinks, pageOf } from "../../values/cursor.ts";
import { showMiles } from "../../values/miles.ts";
import { dollars } from "../../values/money.ts";
import { isFlagged, shownDriver, shownEntry } from "./row.server.ts";

/** Rows on one page of the drivers, and entries on one page of theirs. */
const PAGE = 25;

export function reportStatements({ build }: Pick<QueryContext, "build">, { driver, period, entry }: ReportSearch) {
	return {
		totals: totalsByDriver(build, period, driver),
		// One driver's entries show their flags themselves.
		owners: flaggedOwners(build, period, driver ? 0 : MOST_COUNTED + 1),
		// One more than a page tells whether there is another.
		entries: driver ? entriesOf(build, driver, period, PAGE + 1, entry) : flaggedEntries(build, period, PAGE + 1, entry),
	};
}

type Statements = ReturnType<typeof reportStatements>;
type Answers = { readonly [Name in keyof Statements]: Answer<Statements[Name]> };

export function reportFrom({ totals, owners, entries }: Answers, view: ReportSearch, admin: AdminContext) {
	const { driver: chosenId, named: dates } = view;
	const drivers = chosenId ? totals : ranked(totals);
	const sums = summed(drivers);
	const start = drivers.findIndex((driver) => driver.id === view.after) + 1;
	const shown = drivers.slice(start, start + PAGE);
	const page = pageOf(entries, view.entry, PAGE, ({ log }) => log);
	const addressOf = (more: Partial<ReportSearch>) => `/mileage-reports${formatSearch({ ...view, ...more })}`;
	const [chosen] = totals;
	return {
		window: `${showDate(dates.from)} to ${showDate(dates.to)}`,
		hasFigures: sums.miles > 0 || sums.fuelCents > 0,
		cards: { miles: showMiles(sums.miles), fuel: dollars(sums.fuelCents), cost: dollars(costPerMile(sums)), target: dollars(TARGET_CENTS) },
		rows: shown.map((driver) => ({
			...shownDriver(driver),
			query: formatSearch({ ...view, driver: driver.id, after: undefined, entry: undefined }),
		})),
		position: { from: start + 1, to: start + shown.length, of: drivers.length },
		pages: {
			first: start > 0 ? addressOf({ after: undefined }) : undefined,
			previous: start > 0 ? addressOf({ after: drivers[start - PAGE - 1]?.id }) : undefined,
			next: start + PAGE < drivers.length ? addressOf({ after: shown.at(-1)?.id }) : undefined,
		},
		tiers: tierCounts(drivers),
		recommendations: recommendationsFor(
			drivers,
			owners.map(({ owner }) => owner),
		),
		whose: chosenId && chosen ? calledOf(chosen) : undefined,
		entries: page.rows.filter((row) => !view.isFlaggedOnly || isFlagged(row)).map((row) => shownEntry(row, admin)),
		entriesRead: page.rows.length,
		entryPages: pageLinks(view.entry, page, (entry) => addressOf({ entry })),
	};
}
