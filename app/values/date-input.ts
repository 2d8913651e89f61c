/** A typed calendar date: of a trip, of a fee. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "./calendar-date.ts";
import { FIRST_DATE } from "./period.ts";

/** A client that sends a date as a moment means the day it names: midnight in UTC. */
export const dayOfMidnight = (text: string) => text.trim().replace(/T00:00(:00(\.0+)?)?(Z|\+00:00)$/, "");

/**
 * A required date from the year 2000 on.
 * @param latest the last date that is taken, in the fleet's zone
 * @param missing what to say when it is absent
 */
export function dateUntil(latest: CalendarDate, missing: string) {
	return v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.nonEmpty(missing),
		v.custom<CalendarDate>((text) => isCalendarDate(String(text)), "Please enter a real date, as YYYY-MM-DD"),
		v.check((date) => date <= latest, "The date cannot be in the future"),
		v.check((date) => date >= FIRST_DATE, "Please check the year of the date"),
	);
}
