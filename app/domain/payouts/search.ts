/** The payouts screen's URL parameters. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import {
	cursors,
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { queryDates } from "../../values/date-input.ts";
import { isRowId } from "../../values/row-id.ts";
import type { PayoutStatus } from "../fund-requests/payment.ts";
import { PAYOUT_STATUSES } from "./rules.ts";

/** A payout's position in the list, latest first. */
export const payoutCursors = cursors({ number: "number" });
export type PayoutCursor = NonNullable<ReturnType<typeof payoutCursors.parse>>;
/** A driver's position in the list of unpaid sums, largest first. */
const owedCursors = cursors({ readyCents: "number", driverId: "id" });
export type OwedCursor = NonNullable<ReturnType<typeof owedCursors.parse>>;
/** The position of an unpaid request or settlement, oldest first. */
const unpaidCursors = cursors({ number: "number" });
export type UnpaidCursor = NonNullable<ReturnType<typeof unpaidCursors.parse>>;

const OWED: PositionNames = { after: "owedAfter", before: "owedBefore" };
const UNPAID: PositionNames = { after: "unpaidAfter", before: "unpaidBefore" };
const WEEKS: PositionNames = { after: "weeksAfter", before: "weeksBefore" };

/** The filters; absent means all. */
export type PayoutFilters = {
	/** A driver's id: payouts with a line of theirs. */
	readonly driver?: string | undefined;
	/** First and last day of payment, both included. */
	readonly paidFrom?: CalendarDate | undefined;
	readonly paidTo?: CalendarDate | undefined;
	readonly status?: PayoutStatus | undefined;
	/** How the reference begins, in any case. */
	readonly reference?: string | undefined;
};
const FILTER_NAMES = [
	"driver",
	"paidFrom",
	"paidTo",
	"status",
	"reference",
] as const satisfies readonly (keyof PayoutFilters)[];

export const isFiltered = (filters: PayoutFilters) =>
	FILTER_NAMES.some((name) => filters[name] !== undefined);

/** Whether there are filters besides the status, which has tabs. */
export const isNarrowed = (filters: PayoutFilters) => isFiltered({ ...filters, status: undefined });

/** The filters of a URL; invalid ones are left out. */
export function parseFilters(query: URLSearchParams, driverName = "driver"): PayoutFilters {
	const driver = query.get(driverName) ?? "";
	const [paidFrom, paidTo] = queryDates(query, ["paidFrom", "paidTo"]);
	const reference = (query.get("reference") ?? "").trim().slice(0, 100);
	return {
		driver: isRowId(driver) ? driver : undefined,
		paidFrom,
		paidTo,
		status: PAYOUT_STATUSES.find((status) => status === query.get("status")),
		reference: reference || undefined,
	};
}

/** The parameters; invalid ones are left out. */
export type PayoutSearch = {
	readonly filters: PayoutFilters;
	/** Whether the payouts are shown, or what is still to be paid; `status=all` means all of them. */
	readonly isList: boolean;
	readonly position: Position<PayoutCursor> | undefined;
	readonly owed: Position<OwedCursor> | undefined;
	readonly unpaid: Position<UnpaidCursor> | undefined;
	/** Of the weeks. */
	readonly unpaidWeeks: Position<UnpaidCursor> | undefined;
	/** Whose requests and settlements are listed with boxes to tick: a driver's id, or everyone's. */
	readonly choose: string | undefined;
};

/** Parses a URL. */
export function parseSearch(query: URLSearchParams): PayoutSearch {
	const choose = query.get("choose") ?? "";
	const filters = parseFilters(query);
	const position = readPosition(query, payoutCursors.parse);
	return {
		filters,
		isList: isFiltered(filters) || query.get("status") === "all" || position !== undefined,
		position,
		owed: readPosition(query, owedCursors.parse, OWED),
		unpaid: readPosition(query, unpaidCursors.parse, UNPAID),
		unpaidWeeks: readPosition(query, unpaidCursors.parse, WEEKS),
		choose: choose === "all" || isRowId(choose) ? choose : undefined,
	};
}

/** The URL of a view. */
export function listUrl(
	{ filters = {}, isList, position, owed, unpaid, unpaidWeeks, choose }: Partial<PayoutSearch>,
	path = "/payouts",
): string {
	const query = new URLSearchParams();
	for (const name of FILTER_NAMES) if (filters[name]) query.set(name, filters[name]);
	if (isList && !filters.status) query.set("status", "all");
	if (choose) query.set("choose", choose);
	setPosition(query, unpaid, unpaidCursors.format, UNPAID);
	setPosition(query, unpaidWeeks, unpaidCursors.format, WEEKS);
	setPosition(query, owed, owedCursors.format, OWED);
	setPosition(query, position, payoutCursors.format);
	return `${path}${query.size > 0 ? `?${query}` : ""}`;
}
