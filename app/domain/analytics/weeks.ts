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

/**
 * How many weeks the average weekly spend is over: those since the fleet's first entry, the current
 * one included, at most `AVERAGE_WEEKS`.
 * @param first absent for a fleet without entries
 */
export function averageWeeks(first: CalendarDate | undefined, today: CalendarDate): number {
	const days = first === undefined ? 1 : daysBetween(first, today) + 1;
	return Math.min(AVERAGE_WEEKS, Math.max(1, Math.ceil(days / WEEK_DAYS)));
}

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
