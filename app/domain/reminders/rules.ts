/** When reminders and the weekly digest are sent, and about what. */
import {
	addDays,
	type CalendarDate,
	format24HourTime,
	startOfDay,
	weekdayOf,
} from "../../values/calendar-date.ts";

/** What people in each role are reminded of: names of settings, and of a person's own choices. */
export const REMINDER_SUBJECTS = {
	driver: ["remindOfMiles", "remindOfReceipts"],
	admin: ["weeklyDigest"],
} as const;
export type ReminderSubject = (typeof REMINDER_SUBJECTS)["driver" | "admin"][number];

/** The kinds of email, as the outbox has them; each begins with `reminder-`. */
export const KIND = {
	miles: "reminder-miles",
	receipts: "reminder-receipts",
	both: "reminder-both",
	digest: "reminder-digest",
} as const;

/** The time of day in the fleet's zone from which they are sent. */
const EARLIEST_TIME = "07:00";
/** Working days without miles after which a driver is reminded. */
const WORKING_DAYS = 3;
/** How long a request may be without its receipt, milliseconds: a day. */
export const RECEIPT_GRACE_MS = 86_400_000;
/** Nobody is reminded of the same thing again for as many calendar dates. */
const QUIET_DAYS = 7;
const MONDAY = 1;

const isWorkingDay = (date: CalendarDate) => weekdayOf(date) >= MONDAY && weekdayOf(date) <= 5;

/** True from 7:00 in the fleet's time zone, whatever daylight saving did that night. */
export function isReminderTime(timeZone: string, now: number): boolean {
	return format24HourTime(timeZone, now) >= EARLIEST_TIME;
}

/** True on the day of the weekly digest, a Monday. */
export const isDigestDay = (today: CalendarDate) => weekdayOf(today) === MONDAY;

/** The first and the last of the three working days before today. */
export function lastWorkingDays(today: CalendarDate): { from: CalendarDate; to: CalendarDate } {
	const days: CalendarDate[] = [];
	for (let date = addDays(today, -1); days.length < WORKING_DAYS; date = addDays(date, -1))
		if (isWorkingDay(date)) days.push(date);
	const [to = today] = days;
	return { from: days.at(-1) ?? to, to };
}

/** The first moment of the days within which nobody is reminded of the same thing again. */
export function quietSince(timeZone: string, today: CalendarDate): number {
	return startOfDay(timeZone, addDays(today, 1 - QUIET_DAYS));
}
