/** The day on which a transaction counts: in Uber's week, a day ends at 4:00 the next morning. */
import { addDays, type CalendarDate } from "../../values/calendar-date.ts";
import type { StatementPeriod } from "./statement.ts";

const DAY_STARTS_AT = 4;
const CLOCK = /(?<!\d)(\d{1,2}):\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s*([ap])\.?m)?/i;

/** The hour in a cell's time of day, if it has one. */
function hourIn(cell: string): number | undefined {
	const [, digits, half] = CLOCK.exec(cell) ?? [];
	if (digits === undefined) return undefined;
	const hour = Number(digits);
	return half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

/**
 * The day on which a transaction counts, within the days that its file covers.
 * @param day as written in the cell
 * @param period of the file's name, if it has one
 */
export function countedDay(
	cell: string,
	day: CalendarDate,
	period: StatementPeriod | null,
): CalendarDate {
	const hour = hourIn(cell);
	const counted = hour !== undefined && hour < DAY_STARTS_AT ? addDays(day, -1) : day;
	if (!period) return counted;
	const { from, to } = period;
	return counted < from ? from : counted > to ? to : counted;
}
