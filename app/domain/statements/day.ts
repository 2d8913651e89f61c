/**
 * The day of a transaction as written in its file: no time zone shifts it, and no day starts at 4.
 */
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";

/** A time of day with or without seconds, offset and zone: ` 08:14:22.351 -0500 CST`. */
const TIME =
	"(?:[ T]+\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:\\s*Z|\\s*[+\\-−]\\d{1,2}:?(?:\\d{2})?)?(?:\\s+[\\p{L}\\d+\\-:/_()]+)*)?";
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}$`, "u");
/** With dots the day comes first everywhere; with slashes that depends on the country. */
const DAY_FIRST = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${TIME}$`, "u");

/** A valid day from a year, a month and a day in digits. */
export function toDay(year: string, month: string, day: string): CalendarDate | undefined {
	const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
	return isCalendarDate(text) ? text : undefined;
}

/** The date in a cell, or `undefined`. */
export function dayAsWritten(cell: string): CalendarDate | undefined {
	const text = cell.trim();
	const [, year = "", month = "", day = ""] = YEAR_FIRST.exec(text) ?? [];
	if (year !== "") return toDay(year, month, day);
	const [, first = "", second = "", last = ""] = DAY_FIRST.exec(text) ?? [];
	return toDay(last, second, first);
}
