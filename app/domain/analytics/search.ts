/**
 * What the mileage report is asked to show, as its address says it (docs/product.md §2, 'Names on
 * the wire' and 'Numbers, money and dates').
 */
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import {
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { clampPeriod, lastDays, lastMonths, type Period } from "../../values/period.ts";
import { isRowId } from "../../values/row-id.ts";
import { type LogCursor, logCursors } from "../mileage/rules.ts";
import { WEEK_DAYS } from "./rules.ts";

export const RANGES = ["week", "month", "quarter", "custom"] as const;
export type Range = (typeof RANGES)[number];
export const RANGE_LABELS: Readonly<Record<Range, string>> = {
	week: "This Week",
	month: "This Month",
	quarter: "This Quarter",
	custom: "Custom Range",
};

export type ReportSearch = {
	/** The id of one driver; absent for all. */
	readonly driver: string | undefined;
	readonly range: Range;
	/** What a custom range was given, real dates only. */
	readonly startDate: CalendarDate | undefined;
	readonly endDate: CalendarDate | undefined;
	readonly period: Period;
	/**
	 * The dates to name on the screen: the period, or what was asked for where no entry can be and
	 * the period is empty.
	 */
	readonly named: Period;
	/** Why the custom range is not applied, in words. */
	readonly problem: string | undefined;
	/** One driver's entries: only those with a flag. */
	readonly isFlaggedOnly: boolean;
	/** The driver after whom the page of the table begins. */
	readonly after: string | undefined;
	/** Which page of the entries. */
	readonly entry: Position<LogCursor> | undefined;
};

/** Why a custom range cannot be applied; undefined when it can. */
function problemOf(
	from: CalendarDate | undefined,
	to: CalendarDate | undefined,
): string | undefined {
	if (!from || !to) return "Enter both a start date and an end date";
	return from > to ? "The start date is after the end date" : undefined;
}

function presetPeriod(range: Range, today: CalendarDate): Period {
	if (range === "week") return lastDays(today, WEEK_DAYS);
	return lastMonths(today, range === "quarter" ? 3 : 1);
}

/** The entries are the second list of their screen. */
const ENTRY_NAMES: PositionNames = { after: "entry", before: "entryBefore" };

/**
 * A cursor outside of the window, as a link kept since yesterday may hold one, is none: the first
 * page is shown.
 */
function cursorFrom(text: string | null, { from, to }: Period): LogCursor | undefined {
	const cursor = logCursors.parse(text);
	return cursor && cursor.drivenOn >= from && cursor.drivenOn <= to ? cursor : undefined;
}

/**
 * The view that an address asks for; a value it cannot have counts as not given, and a custom range
 * without both its dates is not applied.
 * @param today in the fleet's zone
 */
export function parseSearch(query: URLSearchParams, today: CalendarDate): ReportSearch {
	const range = RANGES.find((each) => each === query.get("range")) ?? "month";
	const dateAt = (name: string) => {
		const text = query.get(name)?.trim() ?? "";
		return range === "custom" && isCalendarDate(text) ? text : undefined;
	};
	const idAt = (name: string) => {
		const text = query.get(name) ?? "";
		return isRowId(text) ? text : undefined;
	};
	const [startDate, endDate] = [dateAt("startDate"), dateAt("endDate")];
	const problem = range === "custom" ? problemOf(startDate, endDate) : undefined;
	const period =
		range === "custom" && !problem
			? clampPeriod(startDate, endDate, today)
			: presetPeriod(range, today);
	const named =
		period.from > period.to && startDate && endDate ? { from: startDate, to: endDate } : period;
	const driver = idAt("driver");
	return {
		driver,
		range,
		startDate,
		endDate,
		period,
		named,
		problem,
		isFlaggedOnly: driver !== undefined && query.get("show") === "flagged",
		after: idAt("after"),
		entry: readPosition(query, (text) => cursorFrom(text, period), ENTRY_NAMES),
	};
}

/** The shortest query that asks for a view, with more to ask; `` or `?...`. */
export function formatSearch(
	view: Omit<ReportSearch, "period" | "named" | "problem">,
	more: Readonly<Record<string, string>> = {},
): string {
	const query = new URLSearchParams();
	if (view.driver) query.set("driver", view.driver);
	if (view.range !== "month") query.set("range", view.range);
	if (view.startDate) query.set("startDate", view.startDate);
	if (view.endDate) query.set("endDate", view.endDate);
	if (view.isFlaggedOnly) query.set("show", "flagged");
	if (view.after) query.set("after", view.after);
	setPosition(query, view.entry, logCursors.format, ENTRY_NAMES);
	for (const [name, value] of Object.entries(more)) query.set(name, value);
	return query.size > 0 ? `?${query}` : "";
}
