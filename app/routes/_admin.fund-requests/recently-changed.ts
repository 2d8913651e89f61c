/**
 * The requests that a form of this screen has just changed: they stay in their place until the next
 * load, whatever the filters say.
 */

import { MAX_BULK_SIZE } from "../../domain/fund-requests/rules.ts";
import { formatSearch, type RequestSearch } from "../../domain/fund-requests/search.ts";

/** What of a request its place in the list goes by. */
type Placed = { readonly request: { readonly id: string; readonly createdAt: number } };

/** The numbers of the requests that an address names as just changed. */
export function parseChanged(query: URLSearchParams): number[] {
	const numbers = (query.get("changed") ?? "").split(".").filter((text) => /^\d{1,9}$/.test(text));
	return [...new Set(numbers.map(Number))].slice(0, MAX_BULK_SIZE);
}

/**
 * The list with its filters, and with the changed rows where they need naming: a filter by status
 * would hide them, and several are taken back together.
 */
export function listUrl(view: RequestSearch, changed: readonly number[]): string {
	const isKept = changed.length > (view.filters.status === undefined ? 1 : 0);
	return `/fund-requests${formatSearch(view, isKept ? { changed: changed.join(".") } : {})}`;
}

/** True when a request stands before another one in the list. */
export function isBefore(
	{ order }: RequestSearch,
	{ request: one }: Placed,
	{ request: other }: Placed,
): boolean {
	const isOlder =
		one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);
	return isOlder === (order === "oldest");
}

/** A page of the list with the changed rows in their places. */
export function withChanged<Row extends Placed>(
	view: RequestSearch,
	page: readonly Row[],
	changed: readonly Row[],
): Row[] {
	const listed = new Set(page.map(({ request }) => request.id));
	const rows = [...page, ...changed.filter(({ request }) => !listed.has(request.id))];
	return rows.sort((one, other) => (one === other ? 0 : isBefore(view, one, other) ? -1 : 1));
}
