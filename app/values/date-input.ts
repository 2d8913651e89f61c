/** Typed calendar dates of trips and fees. */
import * as v from "valibot";
import {
	addDays,
	type CalendarDate,
	formatDate,
	isCalendarDate,
	parseCalendarDate,
} from "./calendar-date.ts";

/** A client that sends a date as a moment means the date it names: midnight in UTC. */
export const dayOfMidnight = (text: string) =>
	text.trim().replace(/T00:00(:00(\.0+)?)?(Z|\+00:00)$/, "");

/**
 * Stands in for today if only a schema's fields and limits are needed, which are the same every
 * day.
 */
export const ANY_DAY = parseCalendarDate("2000-01-01");

/** The date in a query, if it is one: as in a body, a moment at midnight UTC is its date. */
export function queryDate(text: string | null): CalendarDate | undefined {
	const day = dayOfMidnight(text ?? "");
	return isCalendarDate(day) ? day : undefined;
}

/** A query's two dates in order, whichever was typed first; anything else is left out. */
export function queryDates(
	query: URLSearchParams,
	[first, last]: readonly [string, string],
): readonly [from: CalendarDate | undefined, to: CalendarDate | undefined] {
	const [from, to] = [queryDate(query.get(first)), queryDate(query.get(last))];
	return from && to && from > to ? [to, from] : [from, to];
}

/**
 * The earliest date of a new entry: January 1 of the year before last, so that closed books stay
 * unchanged.
 */
export function firstEntryDate(today: CalendarDate): CalendarDate {
	return parseCalendarDate(`${String(Number(today.slice(0, 4)) - 2).padStart(4, "0")}-01-01`);
}

const realDate = v.custom<CalendarDate>(
	(text) => isCalendarDate(String(text)),
	"Enter a valid date (YYYY-MM-DD)",
);
const FUTURE = "The date can't be in the future";

/**
 * An optional date up to today.
 * @param today in the fleet's time zone
 * @param mostDays how far back it may be
 */
export function optionalPastDate(today: CalendarDate, mostDays: number) {
	const first = addDays(today, -mostDays);
	return v.pipe(
		v.optional(v.string(), ""),
		v.transform((text) => dayOfMidnight(text) || undefined),
		v.optional(
			v.pipe(
				realDate,
				v.check((date) => date <= today, FUTURE),
				v.check((date) => date >= first, `The date can't be more than ${mostDays} days ago`),
			),
		),
	);
}

/**
 * The required date of a new entry: not in the future, and not before January 1 of the year before
 * last.
 * @param today in the fleet's time zone
 * @param missing the message when it is absent
 * @param graceDays how far a phone's date may be ahead of the fleet's
 */
export function entryDate(today: CalendarDate, missing: string, graceDays = 0) {
	const [first, last] = [firstEntryDate(today), addDays(today, graceDays)];
	return v.pipe(
		v.optional(v.string(), ""),
		v.transform(dayOfMidnight),
		v.nonEmpty(missing),
		realDate,
		v.check((date) => date <= last, FUTURE),
		v.check((date) => date >= first, `The date can't be before ${formatDate(first)}`),
	);
}
