/**
 * The days of the fleet's zone, worked out without the application's own dates, to judge what it
 * shows: where every test gets today.
 */
import type { CalendarDate } from "../../app/values/calendar-date.ts";
import { ZONE } from "./cast.ts";
import { currentTime } from "./clock.ts";

const format = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE });

/** `YYYY-MM-DD` of a moment in the fleet's zone. */
export const dayOf = (moment: number) => format.format(moment);
/** The day so many days before today there; negative lies ahead. */
export const daysAgo = (days: number) =>
	new Date(Date.parse(dayOf(currentTime())) - days * 86_400_000)
		.toISOString()
		.slice(0, 10) as CalendarDate;

/** The first moment of a day there. */
export function midnight(day: string): number {
	const found = ["-04:00", "-05:00"]
		.map((offset) => Date.parse(`${day}T00:00:00${offset}`))
		.find((at) => dayOf(at) === day && dayOf(at - 1) < day);
	if (found === undefined) throw new Error(`${day} has no midnight in ${ZONE}`);
	return found;
}

/** How long the tests of a file may take, milliseconds. */
const LONGEST_FILE = 4 * 60_000;

/**
 * Waits for midnight there when it is near: what a file of tests calls today must be so until it
 * ends.
 */
export async function pastMidnight(): Promise<void> {
	const left = midnight(daysAgo(-1)) - currentTime();
	if (left > LONGEST_FILE) return;
	console.log(`Waiting ${Math.ceil(left / 1000)} s for midnight in ${ZONE}`);
	await new Promise((resolve) => setTimeout(resolve, left + 1000));
}

/** As the screens show a period: its year once, unless its days are in two years; or its one day. */
export function periodInWords(from: string, to: string): string {
	if (from === to) return inWords(to);
	const isOneYear = from.slice(0, 4) === to.slice(0, 4);
	return `${isOneYear ? inWords(from).replace(/, \d+$/, "") : inWords(from)} to ${inWords(to)}`;
}

/** `Nov 21, 2026` */
export const inWords = (day: string) =>
	new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", {
		timeZone: "UTC",
		month: "short",
		day: "numeric",
		year: "numeric",
	});
