/** The phone's clock, for capture times. Only this module reads it in the browser. */
import { type CalendarDate, dateIn } from "../values/calendar-date.ts";

/** UTC milliseconds according to the phone. */
export const phoneNow = (): number => Date.now();

/** Today's date in the fleet's time zone, wherever the phone is. */
export const fleetToday = (timeZone: string): CalendarDate =>
	dateIn(knownZone(timeZone), phoneNow());

/** The time zone, or the phone's own if the browser is too old to know that one. */
export function knownZone(timeZone: string): string {
	try {
		return new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone;
	} catch {
		return new Intl.DateTimeFormat("en-US").resolvedOptions().timeZone;
	}
}
