/**
 * Covers a window of calendar dates with the blocks that `driver_totals` keeps: 1, 4, 16, 64, 256
 * or 1024 dates, each starting on a multiple of its length. At most six blocks of each length are
 * needed, so a year is at most 23 rows and ten years 33.
 */
import {
	addDays,
	type CalendarDate,
	daysBetween,
	parseCalendarDate,
} from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";

/** Lengths in dates, longest first. The triggers of migration 0004 have the same ones. */
export const BLOCK_DAYS = [1024, 256, 64, 16, 4, 1] as const;
/** The block of all time. */
export const ALL_TIME: Block = { days: 0, firstDay: 0 };

/** `firstDay` is a Julian day number, as SQLite's `julianday` counts them. */
export type Block = { readonly days: number; readonly firstDay: number };

const EPOCH = parseCalendarDate("1970-01-01");
/** The Julian day number of January 1, 1970. */
const EPOCH_DAY = 2_440_588;

export function dayNumber(date: CalendarDate): number {
	return daysBetween(EPOCH, date) + EPOCH_DAY;
}

export function dateFromDayNumber(day: number): CalendarDate {
	return addDays(EPOCH, day - EPOCH_DAY);
}

/**
 * The blocks that cover every date of a period once, in order; none if it ends before it starts.
 */
export function coverPeriod({ from, to }: Period): Block[] {
	const blocks: Block[] = [];
	const last = dayNumber(to);
	for (let firstDay = dayNumber(from); firstDay <= last; ) {
		const days =
			BLOCK_DAYS.find((length) => firstDay % length === 0 && firstDay + length - 1 <= last) ?? 1;
		blocks.push({ days, firstDay });
		firstDay += days;
	}
	return blocks;
}
