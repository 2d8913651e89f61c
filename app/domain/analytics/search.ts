/**
 * The URL parameters of the mileage report (docs/product.md §2, 'Names on the wire' and 'Numbers,
 * money and dates').
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import {
	type Position,
	type PositionNames,
	readPosition,
	setPosition,
} from "../../values/cursor.ts";
import { queryDate } from "../../values/date-input.ts";
import { clampPeriod, type Period } from "../../values/period.ts";
import { isRowId } from "../../values/row-id.ts";
import { type LogCursor, logCursors } from "../mileage/search.ts";
import { type StandingWindow, windowPeriod } from "./standing-windows.ts";

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
	/** The dates given for a custom range, valid ones only. */
	readonly startDate: CalendarDate | undefined;
	readonly endDate: CalendarDate | undefined;
	/** The window for which standings are kept; absent for custom dates. */
	readonly window: StandingWindow | undefined;
	readonly period: Period;
	/** The dates shown on screen: the period, or the requested dates if the period is empty. */
	readonly named: Period;
	/** Why the custom range isn't applied, as a sentence. */
	readonly problem: string | undefined;
	/** Whether one driver's entries are limited to flagged ones. */
	readonly isFlaggedOnly: boolean;
	/** Which page of the drivers: the id it starts after or ends before. */
	readonly page: Position<string> | undefined;
	/** Drivers before that page, according to the link to it. */
	readonly skipped: number;
	/** Which page of the entries. */
	readonly entry: Position<LogCursor> | undefined;
};

/** Why a custom range can't be applied; undefined if it can. */
function problemOf(
	from: CalendarDate | undefined,
	to: CalendarDate | undefined,
): string | undefined {
	if (!from || !to) return "Enter both a start date and an end date";
	return from > to ? "The start date is after the end date" : undefined;
}

/** The entries are the second list of their screen. */
const ENTRY_NAMES: PositionNames = { after: "entry", before: "entryBefore" };

/** A cursor outside the window, as in yesterday's link, is ignored: the first page is shown. */
function cursorFrom(text: string | null, { from, to }: Period): LogCursor | undefined {
	const cursor = logCursors.parse(text);
	return cursor && cursor.drivenOn >= from && cursor.drivenOn <= to ? cursor : undefined;
}

/**
 * Parses a URL. An unknown value is ignored, and a custom range needs both of its dates.
 * @param today in the fleet's time zone
 */
export function parseSearch(query: URLSearchParams, today: CalendarDate): ReportSearch {
	const range = RANGES.find((each) => each === query.get("range")) ?? "month";
	const dateAt = (name: string) => (range === "custom" ? queryDate(query.get(name)) : undefined);
	const toId = (text: string | null) => (text !== null && isRowId(text) ? text : undefined);
	const [startDate, endDate] = [dateAt("startDate"), dateAt("endDate")];
	const problem = range === "custom" ? problemOf(startDate, endDate) : undefined;
	const isCustom = range === "custom" && !problem;
	const preset = range === "custom" ? "month" : range;
	const period = isCustom ? clampPeriod(startDate, endDate, today) : windowPeriod(preset, today);
	const named =
		period.from > period.to && startDate && endDate ? { from: startDate, to: endDate } : period;
	const page = readPosition(query, toId);
	const driver = toId(query.get("driver"));
	return {
		driver,
		range,
		startDate,
		endDate,
		window: isCustom ? undefined : preset,
		period,
		named,
		problem,
		isFlaggedOnly: driver !== undefined && query.get("show") === "flagged",
		page,
		skipped: page ? Number(/^[1-9]\d{0,6}$/.exec(query.get("skipped") ?? "")?.[0] ?? 0) : 0,
		entry: readPosition(query, (text) => cursorFrom(text, period), ENTRY_NAMES),
	};
}

/** The shortest query for a view, plus more parameters; `` or `?...`. */
export function formatSearch(
	view: Omit<ReportSearch, "window" | "period" | "named" | "problem">,
	more: Readonly<Record<string, string>> = {},
): string {
	const query = new URLSearchParams();
	if (view.driver) query.set("driver", view.driver);
	if (view.range !== "month") query.set("range", view.range);
	if (view.startDate) query.set("startDate", view.startDate);
	if (view.endDate) query.set("endDate", view.endDate);
	if (view.isFlaggedOnly) query.set("show", "flagged");
	setPosition(query, view.page, (id) => id);
	if (view.page && view.skipped > 0) query.set("skipped", String(view.skipped));
	setPosition(query, view.entry, logCursors.format, ENTRY_NAMES);
	for (const [name, value] of Object.entries(more)) query.set(name, value);
	return query.size > 0 ? `?${query}` : "";
}

/** The URL of the report for a period, of one driver or of all. */
export function reportPath(
	{ from, to }: Period,
	{ driver, isFlaggedOnly = false }: { driver?: string; isFlaggedOnly?: boolean } = {},
): string {
	const none = { skipped: 0, page: undefined, entry: undefined };
	const custom = { range: "custom", startDate: from, endDate: to } as const;
	return `/mileage-reports${formatSearch({ ...none, ...custom, driver, isFlaggedOnly })}`;
}
