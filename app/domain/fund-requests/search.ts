/**
 * The URL parameters of the administrators' list of requests (docs/product.md, 'Names on the
 * wire').
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import {
	cursors,
	type Position,
	positionParameter,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { queryDates } from "../../values/date-input.ts";
import { toOpenMomentRange } from "../../values/period.ts";
import { isRowId } from "../../values/row-id.ts";
import { QUESTION_FILTERS, type QuestionState } from "../messages/rules.ts";
import { REQUEST_TYPES, type RequestStatus, type RequestType } from "./rules.ts";

/** By date, or by requested amount. */
export const ORDERS = ["newest", "oldest", "largest", "smallest"] as const;
export type Order = (typeof ORDERS)[number];
/** `50-100` is above 50 up to 100 (docs/product.md §2). */
export const AMOUNT_BANDS = ["0-50", "50-100", "100+"] as const;
export type AmountBand = (typeof AMOUNT_BANDS)[number];
/** What to check before a request is approved. */
export const FLAGS = ["no-receipt", "duplicate", "late"] as const;
export type Flag = (typeof FLAGS)[number];
/** The payment state of an approved request. */
export const PAYMENTS = ["unpaid", "open", "paid"] as const;
export type Payment = (typeof PAYMENTS)[number];

/** The filters; absent means all. */
export type RequestFilters = {
	readonly status?: RequestStatus | undefined;
	readonly type?: RequestType | undefined;
	readonly amount?: AmountBand | undefined;
	/** A driver's id. */
	readonly driver?: string | undefined;
	/** First and last date of the request, both included. */
	readonly startDate?: CalendarDate | undefined;
	readonly endDate?: CalendarDate | undefined;
	/** For pending requests. */
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

/** A position in the list by date. */
export const requestCursors = cursors({ createdAt: "number", id: "id" });
/** A position in the list by amount. */
const amountCursors = cursors({ amountCents: "number", createdAt: "number", id: "id" });
export type RequestCursor = {
	readonly createdAt: number;
	readonly id: string;
	/** Whether the list is sorted by amount. */
	readonly amountCents?: number;
};
export type RequestSearch = {
	readonly filters: RequestFilters;
	readonly order: Order;
	readonly position: Position<RequestCursor> | undefined;
};

/** The statuses in the filter; withdrawn requests are only under all. */
export const FILTER_STATUSES = [
	"pending",
	"approved",
	"rejected",
] as const satisfies readonly RequestStatus[];

export const isByAmount = (order: Order): order is "largest" | "smallest" =>
	order === "largest" || order === "smallest";

/** Whether an index has the filters in the order of amounts. */
export const isSortableByAmount = (filters: RequestFilters): boolean =>
	FILTER_NAMES.every(
		(name) => name === "status" || name === "amount" || filters[name] === undefined,
	);

/** Parses a URL; an invalid value means all. */
export function parseSearch(query: URLSearchParams): RequestSearch {
	// A plus typed into a URL, as in 100+, arrives as a space.
	const parameter = (name: string) => query.get(name)?.replace(/ $/, "+");
	const chosen = <Value extends string>(name: string, values: readonly Value[]) =>
		values.find((value) => value === parameter(name));
	const driver = query.get("driver") ?? "";
	const [startDate, endDate] = queryDates(query, ["startDate", "endDate"]);
	const filters: RequestFilters = {
		status: chosen("status", FILTER_STATUSES),
		type: chosen("type", REQUEST_TYPES),
		amount: chosen("amount", AMOUNT_BANDS),
		driver: isRowId(driver) ? driver : undefined,
		startDate,
		endDate,
		question: chosen("question", QUESTION_FILTERS),
		flag: chosen("flag", FLAGS),
		payment: chosen("payment", PAYMENTS),
	};
	const named = chosen("order", ORDERS) ?? "newest";
	const order = isByAmount(named) && !isSortableByAmount(filters) ? "newest" : named;
	const kind = isByAmount(order) ? amountCursors : requestCursors;
	return { filters, order, position: readPosition<RequestCursor>(query, kind.parse) };
}

/** The text of a cursor in the list's order. */
const formatCursor =
	(order: Order) =>
	({ amountCents, createdAt, id }: RequestCursor): string =>
		isByAmount(order) && amountCents !== undefined
			? amountCursors.format({ amountCents, createdAt, id })
			: requestCursors.format({ createdAt, id });

/** The shortest query for a view, plus more parameters; `` or `?...`. */
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

/** The moments of the dates in the fleet's time zone: from the first, before the second. */
export const momentsOf = ({ startDate, endDate }: RequestFilters, timeZone: string) =>
	toOpenMomentRange(timeZone, startDate, endDate);

/** Parses the URL of a driver's own list. */
export function parsePosition(query: URLSearchParams): Position<RequestCursor> | undefined {
	return readPosition(query, requestCursors.parse);
}

/** A page as URL parameters. */
export function positionParameters(
	position: Position<RequestCursor> | undefined,
): Readonly<Record<string, string>> {
	return positionParameter(position, requestCursors.format);
}
