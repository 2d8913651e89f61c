/** A typed calendar date: of a trip, of a fee. */
import * as v from "valibot";
import {
	addDays,
	type CalendarDate,
	formatDate,
	isCalendarDate,
	parseCalendarDate,
} from "./calendar-date.ts";

/** A client that sends a date as a moment means the day it names: midnight in UTC. */
export const dayOfMidnight = (text: string) =>
	text.trim().replace(/T00:00(:00(\.0+)?)?(Z|\+00:00)$/, "");

/**
 * Stands for today where a schema is asked for its fields and their limits, which are the same
 * every day.
 */
export const ANY_DAY = parseCalendarDate("2000-01-01");

/**
 * The first date that a new entry may have: January 1 of the year before last, so that books that
 * are closed stay as they are.
 */
export function firstEntryDate(today: CalendarDate): CalendarDate {
	return parseCalendarDate(`${String(Number(today.slice(0, 4)) - 2).padStart(4, "0")}-01-01`);
}

/**
 * The required date of a new entry: not in the future, and not before January 1 of the year before
 * last.
 * @param today in the fleet's zone
 * @param missing what to say when it is absent
 * @param graceDays how far ahead of the fleet's date a phone's may be
 */
export function entryDate(today: CalendarDate, missing: string, graceDays = 0) {
	const [first, last] = [firstEntryDate(today), addDays(today, graceDays)];
	return v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.nonEmpty(missing),
		v.custom<CalendarDate>(
			(text) => isCalendarDate(String(text)),
			"Enter a valid date (YYYY-MM-DD)",
		),
		v.check((date) => date <= last, "The date can't be in the future"),
		v.check((date) => date >= first, `The date can't be before ${formatDate(first)}`),
	);
}
