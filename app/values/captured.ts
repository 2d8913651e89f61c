/** When a phone captured what the server received later, and how both times are shown. */
import { type CalendarDate, dateIn, formatDate, formatTime } from "./calendar-date.ts";

/** The longest an entry may have waited on a phone to be believed, milliseconds: 366 days. */
const LONGEST_WAIT = 366 * 86_400_000;

/**
 * The moment of capture, UTC milliseconds. The phone says how long ago that was by its own clock,
 * so that a clock that is wrong does not matter.
 * @param ago whole milliseconds as sent; anything else, and a wait of more than a year, is not
 * believed
 * @param now when it was received
 */
export function parseCapturedAt(ago: string | null, now: number): number | undefined {
	if (ago === null || !/^\d{1,12}$/.test(ago)) return undefined;
	return Number(ago) <= LONGEST_WAIT ? now - Number(ago) : undefined;
}

/** `Saved Nov 20, 2026 at 2:05 PM, received Nov 21, 2026 at 9:00 AM` */
export function describeCapture(timeZone: string, capturedAt: number, receivedAt: number): string {
	const moment = (at: number) =>
		`${formatDate(dateIn(timeZone, at))} at ${formatTime(timeZone, at)}`;
	return `Saved ${moment(capturedAt)}, received ${moment(receivedAt)}`;
}

/**
 * When something was received, beside its name: `2:02 PM`, or `Nov 20, 2026, 2:02 PM` on another day.
 * @param today in that zone
 */
export function formatReceivedAt(timeZone: string, at: number, today: CalendarDate): string {
	const date = dateIn(timeZone, at);
	return date === today
		? formatTime(timeZone, at)
		: `${formatDate(date)}, ${formatTime(timeZone, at)}`;
}
