/**
 * What Mileage Reports & Analytics shows of a window: what it cost by driver, what to look into,
 * and the entries that can be voided (docs/product.md §2).
 */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { StatementResult } from "../../db/client.server.ts";
import {
	buildRecommendations,
	MAX_COUNTED,
	nameWithCode,
	sortByMileage,
	sumPerformance,
	tierCounts,
} from "../../domain/analytics/insights.ts";
import { selectTotalsByDriver } from "../../domain/analytics/queries.server.ts";
import { costPerMile, TARGET_CENTS } from "../../domain/analytics/rules.ts";
import { formatSearch, type ReportSearch } from "../../domain/analytics/search.ts";
import type { AdminContext } from "../../domain/context.ts";
import {
	listDriverEntries,
	listFlaggedDriverIds,
	listFlaggedEntries,
} from "../../domain/mileage/review.server.ts";
import { formatDate } from "../../values/calendar-date.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { isFlagged, toDriverView, toEntryView } from "./row.server.ts";

/** Rows on one page of the drivers, and entries on one page of theirs. */
const PAGE = 25;

export function reportStatements(
	{ build }: Pick<QueryContext, "build">,
	{ driver, period, entry }: ReportSearch,
) {
	return {
		totals: selectTotalsByDriver(build, period, driver),
		// One driver's entries show their flags themselves.
		owners: listFlaggedDriverIds(build, period, driver ? 0 : MAX_COUNTED + 1),
		// One more than a page tells whether there is another.
		entries: driver
			? listDriverEntries(build, driver, period, PAGE + 1, entry)
			: listFlaggedEntries(build, period, PAGE + 1, entry),
	};
}

type Statements = ReturnType<typeof reportStatements>;
type Answers = { readonly [Name in keyof Statements]: StatementResult<Statements[Name]> };

export function reportFrom(
	{ totals, owners, entries }: Answers,
	view: ReportSearch,
	admin: AdminContext,
) {
	const { driver: chosenId, named: dates } = view;
	const drivers = chosenId ? totals : sortByMileage(totals);
	const sums = sumPerformance(drivers);
	const start = drivers.findIndex((driver) => driver.id === view.after) + 1;
	const shown = drivers.slice(start, start + PAGE);
	const page = toPage(entries, view.entry, PAGE, ({ log }) => log);
	const addressOf = (more: Partial<ReportSearch>) =>
		`/mileage-reports${formatSearch({ ...view, ...more })}`;
	const [chosen] = totals;
	return {
		window: `${formatDate(dates.from)} to ${formatDate(dates.to)}`,
		hasFigures: sums.miles > 0 || sums.fuelCents > 0,
		cards: {
			miles: formatMiles(sums.miles),
			fuel: formatDollars(sums.fuelCents),
			cost: formatDollars(costPerMile(sums)),
			target: formatDollars(TARGET_CENTS),
		},
		rows: shown.map((driver) => ({
			...toDriverView(driver),
			query: formatSearch({ ...view, driver: driver.id, after: undefined, entry: undefined }),
		})),
		position: { from: start + 1, to: start + shown.length, of: drivers.length },
		pages: {
			first: start > 0 ? addressOf({ after: undefined }) : undefined,
			previous: start > 0 ? addressOf({ after: drivers[start - PAGE - 1]?.id }) : undefined,
			next: start + PAGE < drivers.length ? addressOf({ after: shown.at(-1)?.id }) : undefined,
		},
		tiers: tierCounts(drivers),
		recommendations: buildRecommendations(
			drivers,
			owners.map(({ owner }) => owner),
		),
		whose: chosenId && chosen ? nameWithCode(chosen) : undefined,
		entries: page.rows
			.filter((row) => !view.isFlaggedOnly || isFlagged(row))
			.map((row) => toEntryView(row, admin)),
		entriesRead: page.rows.length,
		entryPages: pageLinks(view.entry, page, (entry) => addressOf({ entry })),
	};
}
