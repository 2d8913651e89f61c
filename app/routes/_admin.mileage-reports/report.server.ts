/**
 * What Mileage Reports & Analytics shows for a window: the costs by driver, what to look into, and
 * the entries that can be voided (docs/product.md §2).
 */
import type { Results } from "../../db/client.server.ts";
import { prepareSet } from "../../db/prepared.server.ts";
import {
	type Performance,
	type Summary,
	sortByMileage,
	summarize,
} from "../../domain/analytics/insights.ts";
import {
	remainingTotals,
	selectTotalsByDriver,
	selectTotalsPage,
} from "../../domain/analytics/queries.server.ts";
import { buildRecommendations, MAX_COUNTED } from "../../domain/analytics/recommendations.ts";
import { costPerMile } from "../../domain/analytics/rules.ts";
import { formatSearch, type ReportSearch } from "../../domain/analytics/search.ts";
import type { StandingWindow } from "../../domain/analytics/standing-windows.ts";
import {
	type FiguresContext,
	hasNoSet,
	listStandings,
	listStandingsOf,
	logMissingSet,
	summaryFrom,
	summaryStatements,
} from "../../domain/analytics/standings.server.ts";
import { selectClosedUntil } from "../../domain/archive/closed-years.server.ts";
import { withArchived } from "../../domain/archive/read.server.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import type { Thresholds } from "../../domain/kernel/fleet-settings.ts";
import {
	flaggedDriverIds,
	listArchivedEntries,
	listArchivedFlagged,
	listDriverEntries,
	listFlaggedDriverIds,
	listFlaggedEntries,
	withPeople,
} from "../../domain/mileage/review.server.ts";
import { nameWithCode } from "../../domain/people/rules.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { type Page, type Position, pageLinks, toPage } from "../../values/cursor.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod } from "../../values/period.ts";
import { isFlagged, toDriverView, toEntryView } from "./row.server.ts";

/** Drivers per page, and entries per page. */
const PAGE = 25;
/** How many of a driver's entries a page of flagged ones goes through. */
const LOOKED_AT = 200;

/** How many entries a page goes through. */
const entriesOf = ({ isFlaggedOnly }: Pick<ReportSearch, "isFlaggedOnly">) =>
	isFlaggedOnly ? LOOKED_AT : PAGE;

/** The parts of a search that its statements depend on, besides the date. */
type StatementQuery = Pick<
	ReportSearch,
	"driver" | "period" | "entry" | "window" | "page" | "isFlaggedOnly"
>;

const statementQuery = ({
	driver,
	period,
	entry,
	window,
	page,
	isFlaggedOnly,
}: ReportSearch): StatementQuery => ({ driver, period, entry, window, page, isFlaggedOnly });

export const reportStatements = (today: CalendarDate, view: ReportSearch) =>
	statementsOf(today, statementQuery(view));

const statementsOf = prepareSet(
	(
		build,
		today: CalendarDate,
		{ driver, period, entry, window, isFlaggedOnly }: StatementQuery,
	) => ({
		totals: driver
			? selectTotalsByDriver(build, period, driver)
			: selectTotalsPage(build, period, { onlyIf: window && hasNoSet(today) }),
		// One driver's entries show their own flags.
		owners: listFlaggedDriverIds(build, period, driver ? 0 : MAX_COUNTED + 1),
		closed: selectClosedUntil(build),
		// One extra row shows whether there is a next page.
		entries: driver
			? listDriverEntries(build, driver, period, entriesOf({ isFlaggedOnly }) + 1, entry)
			: listFlaggedEntries(build, period, PAGE + 1, entry),
	}),
);

/** The figures from the kept standings; nothing if there are none. */
export function standingStatements(today: CalendarDate, view: ReportSearch) {
	const { window, driver } = view;
	return window && !driver ? keptStatements(today, statementQuery(view), window) : {};
}

const keptStatements = prepareSet(
	(build, today: CalendarDate, { period, page }: StatementQuery, window: StandingWindow) => ({
		...summaryStatements(build, window, today),
		ranked: listStandings(build, window, today, PAGE + 1, page),
		flagged: listStandingsOf(build, window, today, flaggedDriverIds(period, MAX_COUNTED + 1)),
	}),
);

type Found = Results<ReturnType<typeof statementsOf>>;
type Kept = Results<ReturnType<typeof keptStatements>>;

/** The drivers of the table: their sums, and a page of them. */
type Ranking = {
	readonly summary: Summary;
	/** At least those with flagged entries, in the order of the table. */
	readonly known: readonly Performance[];
	readonly page: Page<Performance, string>;
};

/** Who is in the table: read from the standings, or added up driver by driver if there are none. */
export async function rankingOf(
	reader: FiguresContext,
	{ totals }: Pick<Found, "totals">,
	kept: Partial<Kept>,
	view: ReportSearch,
): Promise<Ranking> {
	const { set, over = [], idle = [], best = [], ranked = [], flagged = [] } = kept;
	if (view.window && set?.[0])
		return {
			summary: summaryFrom(set[0], view.window, { over, idle, best }),
			known: sortByMileage(flagged),
			page: toPage(ranked, view.page, PAGE, ({ id }) => id),
		};
	if (view.driver)
		return {
			summary: summarize(totals, reader.settings),
			known: totals,
			page: toPage(totals, undefined, PAGE, ({ id }) => id),
		};
	if (view.window) logMissingSet(reader);
	const drivers = await remainingTotals(reader.db, totals, view.period);
	return rankingFrom(drivers, view.page, reader.settings);
}

/** From drivers that were added up. */
export function rankingFrom(
	totals: readonly Performance[],
	position: Position<string> | undefined,
	thresholds: Thresholds,
): Ranking {
	const drivers = sortByMileage(totals);
	const place = drivers.findIndex(({ id }) => id === position?.cursor);
	const found =
		position?.way === "before"
			? drivers.slice(0, place < 0 ? drivers.length : place).reverse()
			: drivers.slice(place + 1);
	return {
		summary: summarize(drivers, thresholds),
		known: drivers,
		page: toPage(found.slice(0, PAGE + 1), position, PAGE, ({ id }) => id),
	};
}

/** The results completed from the archive. */
export async function withArchivedEntries(
	reader: ReaderContext,
	answers: Found,
	view: ReportSearch,
): Promise<Found> {
	const { driver, period, entry } = view;
	const { closed } = answers;
	const [most, limit] = [driver ? 0 : MAX_COUNTED + 1, entriesOf(view) + 1];
	const owners = await withArchived(
		reader,
		closed,
		{
			rows: answers.owners,
			limit: most,
			from: period.from,
			isDescending: true,
			placeOf: (each) => each,
		},
		async (archive) =>
			(await archive.batch({ owners: listFlaggedDriverIds(archive.build, period, most) })).owners,
	);
	// A page before an entry is read backwards, from that entry on.
	const isBackwards = entry?.way === "before";
	const entries = await withArchived(
		reader,
		closed,
		{
			rows: answers.entries,
			limit,
			from: isBackwards ? entry.cursor.drivenOn : period.from,
			isDescending: !isBackwards,
			placeOf: ({ log }) => log,
		},
		async (archive) => {
			const { build } = archive;
			const { logs } = await archive.batch({
				logs: driver
					? listArchivedEntries(build, driver, period, limit, entry)
					: listArchivedFlagged(build, period, limit, entry),
			});
			return withPeople(reader.db, logs);
		},
	);
	return { ...answers, owners: [...owners], entries: [...entries] };
}

export function reportFrom(
	{ totals, owners, entries, closed }: Found,
	{ summary, known, page: drivers }: Ranking,
	view: ReportSearch,
	reader: ReaderContext,
) {
	const { driver: chosenId, named: dates } = view;
	const { settings } = reader;
	const page = toPage(entries, view.entry, entriesOf(view), ({ log }) => log);
	const addressOf = (more: Partial<ReportSearch>) =>
		`/mileage-reports${formatSearch({ ...view, ...more })}`;
	const [chosen] = totals;
	const skippedAt = (position: Position<string> | undefined) =>
		position?.way === "after"
			? view.skipped + drivers.rows.length
			: Math.max(0, view.skipped - PAGE);
	// A page's position comes with the link to it: counting up to it would read every driver.
	const isPlaced = !view.page || view.skipped > 0 || !drivers.previous;
	return {
		window: formatPeriod(dates),
		hasFigures: summary.miles > 0 || summary.fuelCents > 0,
		cards: {
			miles: formatMiles(summary.miles),
			fuel: formatDollars(summary.fuelCents),
			cost: formatDollars(costPerMile(summary)),
			target: formatDollars(settings.targetCents),
		},
		rows: drivers.rows.map((driver) => ({
			...toDriverView(driver, settings),
			query: formatSearch({ ...view, driver: driver.id, page: undefined, entry: undefined }),
		})),
		position: {
			...(isPlaced ? { from: view.skipped + 1, to: view.skipped + drivers.rows.length } : {}),
			of: summary.listed,
		},
		pages: pageLinks(view.page, drivers, (position) =>
			addressOf({ page: position, skipped: skippedAt(position) }),
		),
		tiers: summary.tiers,
		thresholds: {
			excellentUnderCents: settings.excellentUnderCents,
			goodUnderCents: settings.goodUnderCents,
		},
		recommendations: buildRecommendations(
			summary,
			known,
			owners.map(({ owner }) => owner),
			settings,
		),
		whose: chosenId && chosen ? nameWithCode(chosen) : undefined,
		entries: page.rows
			.filter((row) => !view.isFlaggedOnly || isFlagged(row))
			.map((row) => toEntryView(row, reader, closed)),
		entriesRead: page.rows.length,
		entryPages: pageLinks(view.entry, page, (entry) => addressOf({ entry })),
	};
}
