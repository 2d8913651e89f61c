/** The fleet's weeks, in which drivers are settled. */
import {
	addDays,
	type CalendarDate,
	formatDay,
	formatRecentDay,
	weekdayOf,
} from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";
import type { FleetSettings } from "../kernel/fleet-settings.ts";

const WEEKDAYS = { sunday: 0, monday: 1 } as const satisfies Record<
	FleetSettings["weekStartsOn"],
	number
>;
/** The weekday that the fleet's weeks start on, 0 for Sunday. */
export const startingWeekday = ({ weekStartsOn }: Pick<FleetSettings, "weekStartsOn">): number =>
	WEEKDAYS[weekStartsOn];

/**
 * The week that a day is in.
 * @param startsOn the weekday of its first day, 0 for Sunday
 */
export function settlementWeek(day: CalendarDate, startsOn: number): Period {
	const from = addDays(day, -((weekdayOf(day) - startsOn + 7) % 7));
	return { from, to: addDays(from, 6) };
}

/**
 * A week by its days: `Nov 16 to Nov 22`, with the year if it isn't this one.
 * @param from its first day
 */
export const describeWeek = (from: CalendarDate, today: string): string =>
	`${formatDay(from)} to ${formatRecentDay(addDays(from, 6), today)}`;

/** The number of a driver's settlement of a week: `ST-000001`, with more digits past 999999. */
export const settlementNumber = (number: number): string => `ST-${String(number).padStart(6, "0")}`;
