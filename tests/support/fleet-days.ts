/**
 * Dates in the fleet's time zone, calculated without the application's own code in order to check
 * it. Every test gets today's date here.
 */
import type { CalendarDate } from "../../app/values/calendar-date.ts";
import { ZONE } from "./cast.ts";
import { currentTime } from "./clock.ts";

const format = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE });

/** The date of a timestamp in the fleet's time zone, `YYYY-MM-DD`. */
export const dayOf = (moment: number) => format.format(moment);
/** The date that many days before today there; a negative number gives a later date. */
export const daysAgo = (days: number) =>
	new Date(Date.parse(dayOf(currentTime())) - days * 86_400_000)
		.toISOString()
		.slice(0, 10) as CalendarDate;

/** The Monday of the week that many weeks before the current one. */
export const monday = (weeksAgo: number) =>
	daysAgo(((new Date(daysAgo(0)).getUTCDay() + 6) % 7) + 7 * weeksAgo);

/** When a date starts there, in UTC milliseconds. */
export function midnight(day: string): number {
	const found = ["-04:00", "-05:00"]
		.map((offset) => Date.parse(`${day}T00:00:00${offset}`))
		.find((at) => dayOf(at) === day && dayOf(at - 1) < day);
	if (found === undefined) throw new Error(`${day} has no midnight in ${ZONE}`);
	return found;
}

let earlier = 0;
/**
 * An hour before it was first asked for today, but never yesterday: right after midnight it is
 * midnight. It stays one moment all day, so that offsets from it decide an order.
 */
export function earlierToday(): number {
	const start = midnight(daysAgo(0));
	if (earlier < start) earlier = Math.max(start, currentTime() - 3_600_000);
	return earlier;
}

/** How long a test file may run. */
const MAX_FILE_MS = 4 * 60_000;

/**
 * Waits until after midnight there if it is near, because the date must not change while a test
 * file runs.
 */
export async function waitPastMidnight(): Promise<void> {
	const left = midnight(daysAgo(-1)) - currentTime();
	if (left > MAX_FILE_MS) return;
	console.log(`Waiting ${Math.ceil(left / 1000)} s for midnight in ${ZONE}`);
	await new Promise((resolve) => setTimeout(resolve, left + 1000));
}

/** A period as the screens show it: the year only once if both dates share it, or a single date. */
export function describePeriod(from: string, to: string): string {
	if (from === to) return describeDate(to);
	const isOneYear = from.slice(0, 4) === to.slice(0, 4);
	return `${isOneYear ? describeDate(from).replace(/, \d+$/, "") : describeDate(from)} to ${describeDate(to)}`;
}

/** `Nov 21, 2026` */
export const describeDate = (day: string) =>
	new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", {
		timeZone: "UTC",
		month: "short",
		day: "numeric",
		year: "numeric",
	});
