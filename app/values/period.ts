/** Spans of calendar dates, both ends included. */
import {
	addDays,
	addMonths,
	type CalendarDate,
	formatDate,
	formatDay,
	parseCalendarDate,
	startOfDay,
} from "./calendar-date.ts";

export type Period = { readonly from: CalendarDate; readonly to: CalendarDate };

/** The last `days` calendar dates, ending today. */
export function lastDays(today: CalendarDate, days: number): Period {
	return { from: addDays(today, 1 - days), to: today };
}

/**
 * The last `months` months: from the day after the same day so many months ago, clamped to that
 * month's end, through today.
 */
export function lastMonths(today: CalendarDate, months: number): Period {
	return { from: addDays(addMonths(today, -months), 1), to: today };
}

/** `Nov 15 to Nov 21, 2026`; the year of both dates where it differs, one date where it is one day. */
export function formatPeriod({ from, to }: Period): string {
	if (from === to) return formatDate(from);
	const isOneYear = from.slice(0, 4) === to.slice(0, 4);
	return `${isOneYear ? formatDay(from) : formatDate(from)} to ${formatDate(to)}`;
}

/** No row is older: what lies before it need not be looked for. */
export const FIRST_DATE = parseCalendarDate("2000-01-01");

/**
 * A period whose ends may be open, within the dates that rows can have: from the first one to
 * tomorrow, a phone's day of grace. What lies outside holds nothing, and would only be long to look
 * through.
 */
export function clampPeriod(
	from: CalendarDate | undefined,
	to: CalendarDate | undefined,
	today: CalendarDate,
): Period {
	const last = addDays(today, 1);
	return { from: from && from > FIRST_DATE ? from : FIRST_DATE, to: to && to < last ? to : last };
}

/**
 * The moments of a period in a zone, UTC milliseconds: a moment counts by its date there.
 * @returns the first moment, and the first one that is no longer in it
 */
export function toMomentRange(
	timeZone: string,
	{ from, to }: Period,
): { readonly from: number; readonly before: number } {
	return { from: startOfDay(timeZone, from), before: startOfDay(timeZone, addDays(to, 1)) };
}
