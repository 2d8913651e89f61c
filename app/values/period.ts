/** Spans of calendar dates, both ends included. */
import { addDays, type CalendarDate } from "./calendar-date.ts";

export type Period = { readonly from: CalendarDate; readonly to: CalendarDate };

/** The last `days` calendar dates, ending today. */
export function lastDays(today: CalendarDate, days: number): Period {
	return { from: addDays(today, 1 - days), to: today };
}
