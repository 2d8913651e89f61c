/**
 * The search of the administrators' list of requests, as its URL has it (docs/product.md, 'Names on
 * the wire').
 */
import {
	addDays,
	type CalendarDate,
	isCalendarDate,
	startOfDay,
} from "../../values/calendar-date.ts";
import {
	cursors,
	type Position,
	positionParameter,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { isRowId } from "../../values/row-id.ts";
import {
	QUESTION_FILTERS,
	type QuestionState,
	REQUEST_TYPES,
	type RequestStatus,
	type RequestType,
} from "./rules.ts";

/** By date, or by the amount asked for. */
export const ORDERS = ["newest", "oldest", "largest", "smallest"] as const;
export type Order = (typeof ORDERS)[number];
/** `50-100` is above 50 up to 100 (docs/product.md §2). */
export const AMOUNT_BANDS = ["0-50", "50-100", "100+"] as const;
export type AmountBand = (typeof AMOUNT_BANDS)[number];
/** What to look at before a request is approved. */
export const FLAGS = ["no-receipt", "duplicate"] as const;
export type Flag = (typeof FLAGS)[number];
/** Where the money of an approved request is. */
export const PAYMENTS = ["unpaid", "open", "paid"] as const;
export type Payment = (typeof PAYMENTS)[number];

/** The filters; absent means all. */
export type RequestFilters = {
	readonly status?: RequestStatus | undefined;
	readonly type?: RequestType | undefined;
	readonly amount?: AmountBand | undefined;
	/** A driver's id. */
	readonly driver?: string | undefined;
	/** The dates between which it was asked for, both included. */
	readonly startDate?: CalendarDate | undefined;
	readonly endDate?: CalendarDate | undefined;
	/** Of a pending request. */
	readonly question?: QuestionState | undefined;
	readonly flag?: Flag | undefined;
	readonly payment?: Payment | undefined;
};
/** Every filter, in the order of the URL. */
export const FILTER_NAMES = [
	"status",
	"type",
	"amount",
	"driver",
	"startDate",
	"endDate",
	"question",
	"flag",
	"payment",
] as const satisfies readonly (keyof RequestFilters)[];
export type FilterName = (typeof FILTER_NAMES)[number];

/** Where a page of requests goes on: after a request, by the moment it was sent. */
export const requestCursors = cursors({ createdAt: "number", id: "id" });
/** The same for a list in the order of amounts. */
const amountCursors = cursors({ amountCents: "number", createdAt: "number", id: "id" });
export type RequestCursor = {
	readonly createdAt: number;
	readonly id: string;
	/** Where the list is sorted by amount. */
	readonly amountCents?: number;
};
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

export const isByAmount = (order: Order): order is "largest" | "smallest" =>
	order === "largest" || order === "smallest";

/** True where an index has the filters in the order of amounts. */
export const isSortableByAmount = (filters: RequestFilters): boolean =>
	FILTER_NAMES.every(
		(name) => name === "status" || name === "amount" || filters[name] === undefined,
	);

/** Two dates in their order; a date that doesn't exist counts as not given. */
function datesIn(query: URLSearchParams): Pick<RequestFilters, "startDate" | "endDate"> {
	const [start, end] = ["startDate", "endDate"].map((name) => {
		const text = query.get(name) ?? "";
		return isCalendarDate(text) ? text : undefined;
	});
	return start && end && start > end
		? { startDate: end, endDate: start }
		: { startDate: start, endDate: end };
}

/** The view that a URL asks for; a value it can't have counts as all. */
export function parseSearch(query: URLSearchParams): RequestSearch {
	// Typed into a URL, the plus of 100+ arrives as a space.
	const asked = (name: string) => query.get(name)?.replace(/ $/, "+");
	const chosen = <Value extends string>(name: string, values: readonly Value[]) =>
		values.find((value) => value === asked(name));
	const driver = query.get("driver") ?? "";
	const filters: RequestFilters = {
		status: chosen("status", FILTER_STATUSES),
		type: chosen("type", REQUEST_TYPES),
		amount: chosen("amount", AMOUNT_BANDS),
		driver: isRowId(driver) ? driver : undefined,
		...datesIn(query),
		question: chosen("question", QUESTION_FILTERS),
		flag: chosen("flag", FLAGS),
		payment: chosen("payment", PAYMENTS),
	};
	const named = chosen("order", ORDERS) ?? "newest";
	const order = isByAmount(named) && !isSortableByAmount(filters) ? "newest" : named;
	const kind = isByAmount(order) ? amountCursors : requestCursors;
	return { filters, order, position: readPosition<RequestCursor>(query, kind.parse) };
}

/** The text of a cursor in the order of its list. */
const formatCursor =
	(order: Order) =>
	({ amountCents, createdAt, id }: RequestCursor): string =>
		isByAmount(order) && amountCents !== undefined
			? amountCursors.format({ amountCents, createdAt, id })
			: requestCursors.format({ createdAt, id });

/** The shortest query that asks for a view, with more to ask; `` or `?...`. */
export function formatSearch(
	{ filters, order, position }: RequestSearch,
	more: Readonly<Record<string, string>> = {},
): string {
	const query = new URLSearchParams();
	for (const name of FILTER_NAMES) if (filters[name]) query.set(name, filters[name]);
	if (order !== "newest") query.set("order", order);
	setPosition(query, position, formatCursor(order));
	for (const [name, value] of Object.entries(more)) query.set(name, value);
	return query.size > 0 ? `?${query}` : "";
}

/** The moments that the dates stand for in the fleet's zone: from the first, before the second. */
export function momentsOf(
	{ startDate, endDate }: RequestFilters,
	timeZone: string,
): { readonly from: number | undefined; readonly before: number | undefined } {
	return {
		from: startDate && startOfDay(timeZone, startDate),
		before: endDate && startOfDay(timeZone, addDays(endDate, 1)),
	};
}

/** The page that a URL of a driver's own list asks for. */
export function parsePosition(query: URLSearchParams): Position<RequestCursor> | undefined {
	return readPosition(query, requestCursors.parse);
}

/** A page as parameters of a URL. */
export function positionParameters(
	position: Position<RequestCursor> | undefined,
): Readonly<Record<string, string>> {
	return positionParameter(position, requestCursors.format);
}
