/** The windows for which standings are kept (docs/decisions/0056), by their last date. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import { lastDays, lastMonths, type Period } from "../../values/period.ts";
import { dayNumber } from "./blocks.ts";
import { MONTH_DAYS, WEEK_DAYS } from "./rules.ts";

export const STANDING_WINDOWS = ["week", "month", "quarter"] as const;
export type StandingWindow = (typeof STANDING_WINDOWS)[number];

/** The dates of a window that ends today. */
export function windowPeriod(window: StandingWindow, today: CalendarDate): Period {
	if (window === "week") return lastDays(today, WEEK_DAYS);
	return lastMonths(today, window === "quarter" ? 3 : 1);
}

/** A set's last day and the first days of its windows. */
export function setWindows(today: CalendarDate) {
	return {
		endDay: dayNumber(today),
		weekFrom: dayNumber(windowPeriod("week", today).from),
		monthFrom: dayNumber(windowPeriod("month", today).from),
		quarterFrom: dayNumber(windowPeriod("quarter", today).from),
		thirtyFrom: dayNumber(lastDays(today, MONTH_DAYS).from),
	};
}
