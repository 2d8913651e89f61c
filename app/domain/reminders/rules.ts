/** When reminders and the weekly digest are sent, and about what. */
import {
	addDays,
	type CalendarDate,
	format24HourTime,
	startOfDay,
	weekdayOf,
} from "../../values/calendar-date.ts";

/** The time of day in the fleet's time zone from which they are sent. */
const EARLIEST_TIME = "07:00";
/** How long a request may be without its receipt, in milliseconds: a day. */
export const RECEIPT_GRACE_MS = 86_400_000;
/** How many calendar dates pass before the same reminder is repeated. */
const QUIET_DAYS = 7;
const MONDAY = 1;

const isWorkingDay = (date: CalendarDate) => weekdayOf(date) >= MONDAY && weekdayOf(date) <= 5;

/** Whether it is 7:00 or later in the fleet's time zone, also on days with a clock change. */
export function isReminderTime(timeZone: string, now: number): boolean {
	return format24HourTime(timeZone, now) >= EARLIEST_TIME;
}

/** Whether it is the day of the weekly digest, a Monday. */
export const isDigestDay = (today: CalendarDate) => weekdayOf(today) === MONDAY;

/** The three working days before today, the first one first. */
export function lastWorkingDays(
	today: CalendarDate,
): readonly [from: CalendarDate, middle: CalendarDate, to: CalendarDate] {
	const to = workingDayBefore(today);
	const middle = workingDayBefore(to);
	return [workingDayBefore(middle), middle, to];
}

function workingDayBefore(date: CalendarDate): CalendarDate {
	let day = addDays(date, -1);
	while (!isWorkingDay(day)) day = addDays(day, -1);
	return day;
}

/** The first moment of the days in which the same reminder isn't repeated. */
export function quietSince(timeZone: string, today: CalendarDate): number {
	return startOfDay(timeZone, addDays(today, 1 - QUIET_DAYS));
}
