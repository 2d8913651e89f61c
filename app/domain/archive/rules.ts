/** Which years can be archived, and what stays behind. */
import { type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";

/**
 * How many of a driver's latest entries stay, so that lists of recent ones never have to read the
 * archive.
 */
export const KEPT_ENTRIES = 20;

/** The latest year that can be archived: the one before last year. */
export const latestToArchive = (today: CalendarDate): number => Number(today.slice(0, 4)) - 2;

/** December 31 of a year. */
export const lastDayOf = (year: number): CalendarDate => parseCalendarDate(`${year}-12-31`);

/** The first day whose weeks are still worked out once a year is closed: `WEEKS_OPEN_FROM` by then. */
export const weeksOpenAfter = (year: number): CalendarDate =>
	parseCalendarDate(`${year + 1}-04-06`);
