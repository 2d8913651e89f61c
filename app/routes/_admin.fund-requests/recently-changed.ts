/**
 * The requests that a form of this screen has just changed: they stay in place until the next load,
 * whatever the filters say.
 */

import { MAX_BULK_SIZE } from "../../domain/fund-requests/rules.ts";
import { formatSearch, isByAmount, type RequestSearch } from "../../domain/fund-requests/search.ts";

/** What determines a request's position in the list. */
type Placed = {
	readonly request: {
		readonly id: string;
		readonly number: number;
		readonly createdAt: number;
		readonly amountCents: number;
	};
};

const parseNumbers = (text: string | null): number[] => {
	const numbers = (text ?? "").split(".").filter((each) => /^\d{1,9}$/.test(each));
	return [...new Set(numbers.map(Number))].slice(0, MAX_BULK_SIZE);
};

/** The numbers of the just changed requests in a URL. */
export const parseChanged = (query: URLSearchParams) => parseNumbers(query.get("changed"));

/** Those of them that the toast can undo: all, unless the URL names some. */
export const parseUndoable = (query: URLSearchParams) =>
	parseNumbers(query.get("undo") ?? query.get("changed"));

/** How many decisions the desk keeps in place as they are made one by one. */
const MAX_KEPT = 50;

/** The earlier and the new changes, latest last. */
export const addChanged = (changed: readonly number[], number: number): number[] =>
	[...changed.filter((each) => each !== number), number].slice(-MAX_KEPT);

/** The list with its filters, and the changed rows by number, since a filter would hide them. */
export function listUrl(
	view: RequestSearch,
	changed: readonly number[],
	more: Readonly<Record<string, string>> = {},
): string {
	const kept: Readonly<Record<string, string>> =
		changed.length > 0 ? { changed: changed.join(".") } : {};
	return `/fund-requests${formatSearch(view, { ...kept, ...more })}`;
}

/** Whether a request comes before another one in the list. */
export function isBefore(
	{ order }: RequestSearch,
	{ request: one }: Placed,
	{ request: other }: Placed,
): boolean {
	const [less, more] = [one, other].map(({ amountCents, createdAt, number }) => [
		...(isByAmount(order) ? [amountCents] : []),
		createdAt,
		number,
	]);
	const difference = less?.findIndex((value, position) => value !== more?.[position]) ?? -1;
	const isLess = (less?.[difference] ?? 0) < (more?.[difference] ?? 0);
	return isLess === (order === "oldest" || order === "smallest");
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
