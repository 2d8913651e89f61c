/**
 * What the administrator's list of requests is asked to show, as its address says it
 * (docs/product.md, 'Names on the wire').
 */
import {
	cursors,
	type Position,
	positionParameter,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { REQUEST_TYPES, type RequestStatus, type RequestType } from "./rules.ts";

export const ORDERS = ["newest", "oldest"] as const;
export type Order = (typeof ORDERS)[number];
/** `50-100` is above 50 up to 100 (docs/product.md §2). */
export const AMOUNT_BANDS = ["0-50", "50-100", "100+"] as const;
export type AmountBand = (typeof AMOUNT_BANDS)[number];

/** The filters; absent means all. */
export type RequestFilters = {
	readonly status?: RequestStatus | undefined;
	readonly type?: RequestType | undefined;
	readonly amount?: AmountBand | undefined;
};
/** Where a page of requests goes on: after a request, by the moment it was sent. */
export const requestCursors = cursors({ createdAt: "number", id: "id" });
export type RequestCursor = NonNullable<ReturnType<typeof requestCursors.parse>>;
export type RequestSearch = {
	readonly filters: RequestFilters;
	readonly order: Order;
	readonly position: Position<RequestCursor> | undefined;
};

/** What can be filtered by: the withdrawn ones show under all. */
export const FILTER_STATUSES = [
	"pending",
	"approved",
	"rejected",
] as const satisfies readonly RequestStatus[];

/** The view that an address asks for; a value it cannot have counts as all. */
export function parseSearch(query: URLSearchParams): RequestSearch {
	// Typed into an address, the plus of 100+ arrives as a space.
	const asked = (name: string) => query.get(name)?.replace(/ $/, "+");
	const chosen = <Value extends string>(name: string, values: readonly Value[]) =>
		values.find((value) => value === asked(name));
	return {
		filters: {
			status: chosen("status", FILTER_STATUSES),
			type: chosen("type", REQUEST_TYPES),
			amount: chosen("amount", AMOUNT_BANDS),
		},
		order: chosen("order", ORDERS) ?? "newest",
		position: readPosition(query, requestCursors.parse),
	};
}

/** The shortest query that asks for a view, with more to ask; `` or `?...`. */
export function formatSearch(
	{ filters, order, position }: RequestSearch,
	more: Readonly<Record<string, string>> = {},
): string {
	const query = new URLSearchParams();
	for (const name of ["status", "type", "amount"] as const)
		if (filters[name]) query.set(name, filters[name]);
	if (order !== "newest") query.set("order", order);
	setPosition(query, position, requestCursors.format);
	for (const [name, value] of Object.entries(more)) query.set(name, value);
	return query.size > 0 ? `?${query}` : "";
}

/** The page that an address of a driver's own list asks for. */
export function parsePosition(query: URLSearchParams): Position<RequestCursor> | undefined {
	return readPosition(query, requestCursors.parse);
}

/** A page as parameters of an address. */
export function positionParameters(
	position: Position<RequestCursor> | undefined,
): Readonly<Record<string, string>> {
	return positionParameter(position, requestCursors.format);
}
