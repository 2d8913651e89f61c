/** The history's URL parameters (docs/product.md §2). */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { cursors, type Position, readPosition, setPosition } from "../../values/cursor.ts";
import { lastDays, type Period, toMomentRange } from "../../values/period.ts";
import type { HistoryItem } from "./rules.ts";

export const RANGES = ["week", "month", "quarter"] as const;
export type Range = (typeof RANGES)[number];
export const RANGE_LABELS: Readonly<Record<Range, string>> = {
	week: "This Week",
	month: "This Month",
	quarter: "This Quarter",
};
/** Calendar dates in each window, including today (docs/product.md, 'Numbers, money and dates'). */
const RANGE_DAYS: Readonly<Record<Range, number>> = { week: 7, month: 30, quarter: 90 };

export const HISTORY_TYPES = ["all", "mileage", "requests"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];
export const TYPE_LABELS: Readonly<Record<HistoryType, string>> = {
	all: "All Activity",
	mileage: "Mileage Logs",
	requests: "Fund Requests",
};

type Of<Kind extends HistoryItem["kind"]> = Extract<HistoryItem, { kind: Kind }>;

/** The position of a line, which is its own cursor. */
export type HistoryCursor =
	| Pick<Of<"request">, "kind" | "createdAt" | "id">
	| Pick<Of<"mileage">, "kind" | "date" | "endMiles" | "createdAt" | "id">;

export type HistorySearch = {
	readonly range: Range;
	readonly type: HistoryType;
	readonly period: Period;
	readonly position: Position<HistoryCursor> | undefined;
};

const requestLines = cursors({ createdAt: "number", id: "id" });
const mileageLines = cursors({ date: "date", endMiles: "miles", createdAt: "number", id: "id" });
/** The prefix of a cursor says which of the two lists its line is in. */
const [REQUEST, MILEAGE] = ["request_", "mileage_"];

/** A cursor outside the window, as in yesterday's link, is ignored: the first page is shown. */
function cursorFrom(text: string, period: Period, timeZone: string): HistoryCursor | undefined {
	if (text.startsWith(REQUEST)) {
		const line = requestLines.parse(text.slice(REQUEST.length));
		const { from, before } = toMomentRange(timeZone, period);
		const isInside = line && line.createdAt >= from && line.createdAt < before;
		return isInside ? { kind: "request", ...line } : undefined;
	}
	const line = text.startsWith(MILEAGE)
		? mileageLines.parse(text.slice(MILEAGE.length))
		: undefined;
	const isInside = line && line.date >= period.from && line.date <= period.to;
	return isInside ? { kind: "mileage", ...line } : undefined;
}

/**
 * Parses a URL; an unknown value is ignored.
 * @param today in the fleet's time zone
 */
export function parseSearch(
	query: URLSearchParams,
	today: CalendarDate,
	timeZone: string,
): HistorySearch {
	const range = RANGES.find((each) => each === query.get("range")) ?? "month";
	const period = lastDays(today, RANGE_DAYS[range]);
	return {
		range,
		type: HISTORY_TYPES.find((each) => each === query.get("type")) ?? "all",
		period,
		position: readPosition(query, (text) => cursorFrom(text ?? "", period, timeZone)),
	};
}

function formatCursor(line: HistoryCursor): string {
	return line.kind === "request"
		? REQUEST + requestLines.format(line)
		: MILEAGE + mileageLines.format(line);
}

/** The shortest query for a view; `` or `?...`. */
export function formatSearch({ range, type, position }: Omit<HistorySearch, "period">): string {
	const query = new URLSearchParams();
	if (range !== "month") query.set("range", range);
	if (type !== "all") query.set("type", type);
	setPosition(query, position, formatCursor);
	return query.size > 0 ? `?${query}` : "";
}
