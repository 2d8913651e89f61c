/**
 * One page of the administrators' list, and the sums of the whole filter. Where no index covers all
 * filters, a page reads a limited number of requests and says where it stopped
 * (docs/decisions/0052).
 */
import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { LONGEST_BLOCK } from "../../db/longest-block.ts";
import { prepare } from "../../db/prepared.server.ts";
import { blockTotals, fundRequests } from "../../db/schema.ts";
import { chooseIndex } from "./narrow.server.ts";
import { selectListed, selectRows } from "./queries.server.ts";
import { effectiveCents, placeOf } from "./rows.server.ts";
import { REQUEST_TYPES, type RequestType } from "./rules.ts";
import {
	FILTER_NAMES,
	isByAmount,
	type RequestCursor,
	type RequestFilters,
	type RequestSearch,
} from "./search.ts";

/** How many requests a page reads if no index covers its filters. */
export const MAX_SEARCHED = 200;
/** How many requests a count goes through. */
export const MAX_COUNTED = 500;

/** The order of the list, and the condition of a page in it. */
function pageOf({ order, position }: RequestSearch) {
	const { amountCents, createdAt, number } = fundRequests;
	const isByValue = isByAmount(order);
	const columns = isByValue ? [amountCents, createdAt, number] : [createdAt, number];
	const cursor = position?.cursor;
	const values = cursor && placeOf(cursor, isByValue ? (cursor.amountCents ?? 0) : undefined);
	const direction = order === "newest" || order === "largest" ? "desc" : "asc";
	return keyset(columns, direction, position && { way: position.way, values });
}

/** The requests that the filters' index finds after the position, in the order of the list. */
function selectMatches(what: SQL, search: RequestSearch, timeZone: string): SQL {
	const { index, indexed } = chooseIndex(search, timeZone);
	const page = pageOf(search);
	// SQLite would prefer an index with more columns to a partial one with fewer rows.
	const named = index ? sql` indexed by ${sql.identifier(index)}` : sql``;
	return sql`select ${what} from fund_requests${named} where ${and(indexed, page.past) ?? sql`true`} order by ${page.order}`;
}

/**
 * Rows of one page of the list.
 * @param maxSearched requests to read if no index covers the filters
 */
export function selectPage(
	build: Builder,
	search: RequestSearch,
	timeZone: string,
	limit: number,
	maxSearched: number,
) {
	const { filters, order } = search;
	if (search.position === undefined && isUnfiltered(filters))
		return firstPage({ limit }, { status: filters.status, order });
	const page = pageWhere(search, timeZone, limit, maxSearched);
	return selectRows(build).where(page.where).orderBy(page.order).limit(limit);
}

/** One page of a file, with all that is shown of a request. */
export function selectFilePage(
	build: Builder,
	search: RequestSearch,
	timeZone: string,
	limit: number,
) {
	const { where, order } = pageWhere(search, timeZone, limit);
	return selectListed(build).where(where).orderBy(order).limit(limit);
}

/** Whether at most the status is filtered, as in the list's default view. */
const isUnfiltered = (filters: RequestFilters) =>
	FILTER_NAMES.every((name) => name === "status" || filters[name] === undefined);

type FirstPage = Pick<RequestSearch, "order"> & Pick<RequestFilters, "status">;
const firstPage = prepare(
	(build, value: (name: "limit") => Placeholder, shape: FirstPage | undefined) => {
		const { status, order = "newest" } = shape ?? {};
		const search = { filters: { status }, order, position: undefined };
		// Neither a day nor a filter without an index is used.
		const limit = value("limit");
		const page = pageWhere(search, "UTC", limit);
		return selectRows(build).where(page.where).orderBy(page.order).limit(limit);
	},
);

/** The requests of a page, and their order. */
function pageWhere(
	search: RequestSearch,
	timeZone: string,
	limit: number | Placeholder,
	maxSearched?: number,
) {
	const { index, indexed, rest } = chooseIndex(search, timeZone);
	const { past, order } = pageOf(search);
	if (index === undefined) return { where: and(indexed, past), order };
	const id = sql`${fundRequests.id}`;
	const matching = rest
		? sql`select id from (${selectMatches(sql`${id} as id, ${rest} as is_match`, search, timeZone)}
			limit ${maxSearched ?? -1}) where is_match limit ${limit}`
		: sql`${selectMatches(id, search, timeZone)} limit ${limit}`;
	return { where: sql`${id} in (${matching})`, order };
}

/**
 * Where a page stopped reading, if it did: its last request. Nothing if an index covers all
 * filters.
 */
export function selectSearchedUpTo(build: Builder, search: RequestSearch, timeZone: string) {
	const { rest } = chooseIndex(search, timeZone);
	const what = sql`created_at as "createdAt", id`;
	return build.all<RequestCursor>(
		rest
			? sql`${selectMatches(what, search, timeZone)} limit 1 offset ${MAX_SEARCHED - 1}`
			: sql`select ${what} from fund_requests where id = ''`,
	);
}

/**
 * Counts the filter's requests up to one more than the limit, in the order of the list, so that it
 * also knows how many come before the page.
 */
export function selectCounts(build: Builder, search: RequestSearch, timeZone: string) {
	const { rest } = chooseIndex(search, timeZone);
	const { past } = pageOf(search);
	const isEarlier =
		search.position === undefined
			? sql`0`
			: search.position.way === "before"
				? sql`(${past})`
				: sql`not (${past})`;
	const what = sql`${effectiveCents} as cents, (${rest ?? sql`1`}) as is_match, ${isEarlier} as is_earlier`;
	const whole = { ...search, position: undefined };
	// The first page has nothing to count if the kept totals know.
	const isKnown = isTotalKept(search.filters) && search.position === undefined;
	return build.all<Counts>(sql`select count(*) as searched, coalesce(sum(is_match), 0) as matches,
		coalesce(sum(cents * is_match), 0) as cents, coalesce(sum(is_earlier), 0) as earlier,
		coalesce(sum(is_earlier * is_match), 0) as "earlierMatches"
		from (${selectMatches(what, whole, timeZone)} limit ${isKnown ? 0 : MAX_COUNTED + 1}) as counted`);
}

/** Whether the kept totals cover the filter: approved or pending ones, of all time. */
export function isTotalKept(filters: RequestFilters): boolean {
	const { status, type } = filters;
	const isKnown = status === "approved" || (status === "pending" && type === undefined);
	return (
		isKnown &&
		FILTER_NAMES.every(
			(name) => ["status", "type", "driver"].includes(name) || filters[name] === undefined,
		)
	);
}

/** The kept totals for the filter's driver or the fleet; zeros if they don't cover the filter. */
export function selectKeptTotals(build: Builder, { filters }: RequestSearch) {
	const sumOf = (column: AnySQLiteColumn) => sql<number>`coalesce(sum(${column}), 0)`;
	return build
		.select({
			gasCents: sumOf(blockTotals.gasCents),
			gasRequests: sumOf(blockTotals.gasRequests),
			maintenanceCents: sumOf(blockTotals.maintenanceCents),
			maintenanceRequests: sumOf(blockTotals.maintenanceRequests),
			otherCents: sumOf(blockTotals.otherCents),
			otherRequests: sumOf(blockTotals.otherRequests),
			pendingCents: sumOf(blockTotals.pendingCents),
			pendingRequests: sumOf(blockTotals.pendingRequests),
		})
		.from(blockTotals)
		.where(
			and(
				sql`${blockTotals.driverId} = ${isTotalKept(filters) ? (filters.driver ?? "") : null}`,
				eq(blockTotals.days, LONGEST_BLOCK),
			),
		);
}

type Counts = {
	readonly searched: number;
	readonly matches: number;
	readonly cents: number;
	readonly earlier: number;
	readonly earlierMatches: number;
};
type Kept = Awaited<ReturnType<typeof selectKeptTotals>>[number];

/** The sums of the filter; without a count, there are more matches than the limit. */
export type ListTotals = {
	readonly count: number | undefined;
	readonly cents: number | undefined;
	/** Matches before the page; absent if it is too far in to tell. */
	readonly earlier: number | undefined;
	/** Whether the matches are among more requests than the limit. */
	readonly isSearchCut: boolean;
};

function fromKept({ status, type }: RequestFilters, kept: Kept | undefined) {
	if (status === "pending")
		return { count: kept?.pendingRequests ?? 0, cents: kept?.pendingCents ?? 0 };
	const types: readonly RequestType[] = type ? [type] : REQUEST_TYPES;
	const sumOf = (amounts: readonly (number | undefined)[]) =>
		amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
	return {
		count: sumOf(types.map((each) => kept?.[`${each}Requests`])),
		cents: sumOf(types.map((each) => kept?.[`${each}Cents`])),
	};
}

/** The totals from the results of the two statements above. */
export function toListTotals(
	{ filters }: RequestSearch,
	counts: Counts | undefined,
	kept: Kept | undefined,
	hasRest: boolean,
): ListTotals {
	const { searched = 0, matches = 0, cents = 0, earlier = 0, earlierMatches = 0 } = counts ?? {};
	const isWhole = searched <= MAX_COUNTED;
	const total = isTotalKept(filters)
		? fromKept(filters, kept)
		: { count: isWhole ? matches : undefined, cents: isWhole ? cents : undefined };
	return {
		...total,
		earlier: isWhole || earlier < searched ? earlierMatches : undefined,
		isSearchCut: hasRest && !isWhole,
	};
}
