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
 * The last `months` months: from the day after the same day that many months ago, clamped to that
 * month's end, through today.
 */
export function lastMonths(today: CalendarDate, months: number): Period {
	return { from: addDays(addMonths(today, -months), 1), to: today };
}

/** `Nov 15 to Nov 21, 2026`; with both years if they differ, and a single date for a single day. */
export function formatPeriod({ from, to }: Period): string {
	if (from === to) return formatDate(from);
	const isOneYear = from.slice(0, 4) === to.slice(0, 4);
	return `${isOneYear ? formatDay(from) : formatDate(from)} to ${formatDate(to)}`;
}

/** No row is older, so earlier dates needn't be searched. */
export const FIRST_DATE = parseCalendarDate("2000-01-01");
/** No row is later. Not the calendar's last date, so that the day after it still exists. */
const LAST_DATE = parseCalendarDate("9999-01-01");

/**
 * A possibly open period, clamped to the dates that rows can have: from the first one to tomorrow,
 * for a phone a day ahead. Dates outside have no rows and would only take time to search.
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
 * The moments of a period in a time zone, in UTC milliseconds: a moment belongs to its date there.
 * @returns the first moment, and the first one after the period
 */
export function toMomentRange(
	timeZone: string,
	{ from, to }: Period,
): { readonly from: number; readonly before: number } {
	return { from: startOfDay(timeZone, from), before: startOfDay(timeZone, addDays(to, 1)) };
}

/**
 * The moments of a possibly open range of dates in a time zone, whatever was typed.
 * @returns the first moment, and the first one after the range; undefined if open
 */
export function toOpenMomentRange(
	timeZone: string,
	from: CalendarDate | undefined,
	to: CalendarDate | undefined,
): { readonly from: number | undefined; readonly before: number | undefined } {
	const within = (date: CalendarDate) =>
		date < FIRST_DATE ? FIRST_DATE : date > LAST_DATE ? LAST_DATE : date;
	return {
		from: from && startOfDay(timeZone, within(from)),
		before: to && startOfDay(timeZone, addDays(within(to), 1)),
	};
}
