/**
 * One page of the administrator's list, and what the whole filter adds up to. Where no index knows
 * all the filters, a page looks at so many requests and no more, and says where it stopped
 * (docs/decisions/0052).
 */
import { and, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { prepared } from "../../db/prepared.server.ts";
import { driverTotals, fundRequests } from "../../db/schema.ts";
import { narrow } from "./narrow.server.ts";
import { listed } from "./queries.server.ts";
import { effectiveCents } from "./rows.server.ts";
import { REQUEST_TYPES, type RequestType } from "./rules.ts";
import {
	FILTER_NAMES,
	isByAmount,
	type RequestCursor,
	type RequestFilters,
	type RequestSearch,
} from "./search.ts";

/** Requests that one page looks at where no index knows all its filters. */
export const MAX_SEARCHED = 1000;
/** Requests that a count goes through. */
export const MAX_COUNTED = 2000;

/** The order of the list, and the condition of a page in it. */
function pageOf({ order, position }: RequestSearch) {
	const { amountCents, createdAt, id } = fundRequests;
	const isByValue = isByAmount(order);
	const columns = isByValue ? [amountCents, createdAt, id] : [createdAt, id];
	const cursor = position?.cursor;
	const values = cursor && [
		...(isByValue ? [cursor.amountCents ?? 0] : []),
		cursor.createdAt,
		cursor.id,
	];
	const direction = order === "newest" || order === "largest" ? "desc" : "asc";
	return keyset(columns, direction, position && { way: position.way, values });
}

/** The requests that the index of the filters finds past the position, in the order of the list. */
function found(what: SQL, search: RequestSearch, timeZone: string): SQL {
	const { index, indexed } = narrow(search, timeZone);
	const page = pageOf(search);
	// SQLite would prefer an index with more columns to a partial one with fewer rows.
	const named = index ? sql` indexed by ${sql.identifier(index)}` : sql``;
	return sql`select ${what} from fund_requests${named} where ${and(indexed, page.past) ?? sql`true`} order by ${page.order}`;
}

/**
 * Rows of one page.
 * @param maxSearched requests to look at where no index knows all the filters; absent for a file,
 * which holds all of them
 */
export function selectPage(
	build: Builder,
	search: RequestSearch,
	timeZone: string,
	limit: number,
	maxSearched?: number,
) {
	const { filters, order } = search;
	return search.position === undefined && isUnfiltered(filters)
		? firstPage({ limit }, { status: filters.status, order })
		: page(build, search, timeZone, limit, maxSearched);
}

/** True where at most the status is chosen: what the list opens with. */
const isUnfiltered = (filters: RequestFilters) =>
	FILTER_NAMES.every((name) => name === "status" || filters[name] === undefined);

type FirstPage = Pick<RequestSearch, "order"> & Pick<RequestFilters, "status">;
const firstPage = prepared(
	(build, value: (name: "limit") => Placeholder, shape: FirstPage | undefined) => {
		const { status, order = "newest" } = shape ?? {};
		const search = { filters: { status }, order, position: undefined };
		// Neither a day nor a filter that no index knows is asked for.
		return page(build, search, "UTC", value("limit"));
	},
);

function page(
	build: Builder,
	search: RequestSearch,
	timeZone: string,
	limit: number | Placeholder,
	maxSearched?: number,
) {
	const { index, indexed, rest } = narrow(search, timeZone);
	const { past, order } = pageOf(search);
	if (index === undefined)
		return listed(build).where(and(indexed, past)).orderBy(order).limit(limit);
	const id = sql`${fundRequests.id}`;
	const matching = rest
		? sql`select id from (${found(sql`${id} as id, ${rest} as is_match`, search, timeZone)}
			limit ${maxSearched ?? -1}) where is_match limit ${limit}`
		: sql`${found(id, search, timeZone)} limit ${limit}`;
	return listed(build).where(sql`${id} in (${matching})`).orderBy(order).limit(limit);
}

/**
 * Where a page of the screen stopped looking, if it did: the last of the requests it looked at.
 * Nothing where an index knows all the filters.
 */
export function selectSearchedUpTo(build: Builder, search: RequestSearch, timeZone: string) {
	const { rest } = narrow(search, timeZone);
	const what = sql`created_at as "createdAt", id`;
	return build.all<RequestCursor>(
		rest
			? sql`${found(what, search, timeZone)} limit 1 offset ${MAX_SEARCHED - 1}`
			: sql`select ${what} from fund_requests where id = ''`,
	);
}

/**
 * Counts the requests of the filter: at most one more than a count goes through, in the order of
 * the list, so that it also knows how many stand before the page.
 */
export function selectCounts(build: Builder, search: RequestSearch, timeZone: string) {
	const { rest } = narrow(search, timeZone);
	const { past } = pageOf(search);
	const isEarlier =
		search.position === undefined
			? sql`0`
			: search.position.way === "before"
				? sql`(${past})`
				: sql`not (${past})`;
	const what = sql`${effectiveCents} as cents, (${rest ?? sql`1`}) as is_match, ${isEarlier} as is_earlier`;
	const whole = { ...search, position: undefined };
	// The first page of what the kept totals know has nothing to count.
	const isKnown = isTotalKept(search.filters) && search.position === undefined;
	return build.all<Counts>(sql`select count(*) as searched, coalesce(sum(is_match), 0) as matches,
		coalesce(sum(cents * is_match), 0) as cents, coalesce(sum(is_earlier), 0) as earlier,
		coalesce(sum(is_earlier * is_match), 0) as "earlierMatches"
		from (${found(what, whole, timeZone)} limit ${isKnown ? 0 : MAX_COUNTED + 1}) as counted`);
}

/** True where the kept totals know the filter: approved or pending ones, of all time. */
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

/** The kept totals of the filter's driver, or of the fleet; nothing where they don't know. */
export function selectKeptTotals(build: Builder, { filters }: RequestSearch) {
	return build
		.select({
			gasCents: driverTotals.gasCents,
			gasRequests: driverTotals.gasRequests,
			maintenanceCents: driverTotals.maintenanceCents,
			maintenanceRequests: driverTotals.maintenanceRequests,
			otherCents: driverTotals.otherCents,
			otherRequests: driverTotals.otherRequests,
			pendingCents: driverTotals.pendingCents,
			pendingRequests: driverTotals.pendingRequests,
		})
		.from(driverTotals)
		.where(
			and(
				sql`${driverTotals.driverId} = ${isTotalKept(filters) ? (filters.driver ?? "") : null}`,
				sql`${driverTotals.days} = 0 and ${driverTotals.firstDay} = 0`,
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

/** What the filter adds up to; without a count there are more than a count goes through. */
export type ListTotals = {
	readonly count: number | undefined;
	readonly cents: number | undefined;
	/** Matches that stand before the page; absent where it is too far in to tell. */
	readonly earlier: number | undefined;
	/** Whether requests that match are among more than a count goes through. */
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

/** The totals, out of the answers of the two statements above. */
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
