/**
 * Weeks of spend for the overview: seven calendar dates each, the last ending today, so that it is
 * the screen's week.
 */
import { addDays, type CalendarDate, daysBetween } from "../../values/calendar-date.ts";
import { lastDays, type Period } from "../../values/period.ts";
import { dateFromDayNumber } from "./blocks.ts";
import { AVERAGE_WEEKS, feeCents, type Totals, WEEK_DAYS } from "./rules.ts";

/** A week's miles and costs: approved fuel and Uber fees, in cents. */
export type Week = Period & {
	readonly miles: number;
	readonly fuelCents: number;
	readonly feeCents: number;
};

/** The dates that `groupByWeek` needs. */
export function weeksPeriod(today: CalendarDate): Period {
	return lastDays(today, AVERAGE_WEEKS * WEEK_DAYS);
}

/**
 * The weeks of `weeksPeriod`, oldest first; a week without spending has zeros.
 * @param days rows of `selectTotalsByDay`; those outside the weeks are ignored
 */
export function groupByWeek(
	days: readonly (Totals & { readonly day: number })[],
	today: CalendarDate,
): Week[] {
	const { from } = weeksPeriod(today);
	const sums = Array.from({ length: AVERAGE_WEEKS }, () => ({
		miles: 0,
		fuelCents: 0,
		feeCents: 0,
	}));
	for (const { day, ...totals } of days) {
		const sum = sums[Math.floor(daysBetween(from, dateFromDayNumber(day)) / WEEK_DAYS)];
		if (!sum) continue;
		sum.miles += totals.miles;
		sum.fuelCents += totals.fuelCents;
		sum.feeCents += feeCents(totals);
	}
	return sums.map((sum, position) => {
		const first = addDays(from, position * WEEK_DAYS);
		return { from: first, to: addDays(first, WEEK_DAYS - 1), ...sum };
	});
}
