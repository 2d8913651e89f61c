/** When a phone captured what the server received later, and how both times are shown. */
import {
	type CalendarDate,
	dateIn,
	formatDate,
	formatMoment,
	formatTime,
} from "./calendar-date.ts";

/**
 * Entries that claim to have waited longer on a phone aren't believed: 366 days in milliseconds.
 */
const MAX_WAIT_MS = 366 * 86_400_000;

/**
 * When the phone captured an entry, in UTC milliseconds. It sends how long ago that was by its own
 * clock, so a wrong clock does no harm.
 * @param ago whole milliseconds as sent; anything else, or more than a year, is ignored
 * @param now when it was received
 */
export function parseCapturedAt(ago: string | null, now: number): number | undefined {
	if (ago === null || !/^\d{1,12}$/.test(ago)) return undefined;
	return Number(ago) <= MAX_WAIT_MS ? now - Number(ago) : undefined;
}

/** `Saved Nov 20, 2026 at 2:05 PM, received Nov 21, 2026 at 9:00 AM` */
export function describeCapture(timeZone: string, capturedAt: number, receivedAt: number): string {
	return `Saved ${formatMoment(timeZone, capturedAt)}, received ${formatMoment(timeZone, receivedAt)}`;
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
