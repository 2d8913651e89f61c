/** Which years can be archived, and what of them stays where it is. */
import { type CalendarDate, parseCalendarDate } from "../../values/calendar-date.ts";

/**
 * A driver's latest entries, which stay: lists of the newest ones never have to ask the archive.
 */
export const STAYING_ENTRIES = 20;

/** The latest year that can be archived: the one before last year. */
export const latestToArchive = (today: CalendarDate): number => Number(today.slice(0, 4)) - 2;

/** December 31 of a year. */
export const lastDayOf = (year: number): CalendarDate => parseCalendarDate(`${year}-12-31`);
