/**
 * Composes a window of calendar dates of the blocks that `block_totals` keeps: 1, 16 or 256 dates,
 * each starting on a multiple of its length. A block may reach beyond the window, and what lies
 * outside is taken off again, so a window of a year or less is at most 32 rows and one of ten years
 * 45.
 */
import { LONGEST_BLOCK } from "../../db/longest-block.ts";
import {
	addDays,
	type CalendarDate,
	daysBetween,
	parseCalendarDate,
} from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";

/** Lengths in dates, shortest first. The triggers of migration 0053 have the same ones. */
export const BLOCK_DAYS = [1, 16, LONGEST_BLOCK] as const;

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
 * The blocks whose sum is a period's, if those that `isTakenOff` names are taken off; none if it ends
 * before it starts.
 */
export function coverPeriod({ from, to }: Period): Block[] {
	const [first, end] = [dayNumber(from), dayNumber(to) + 1];
	return first < end ? coverDays(first, end, BLOCK_DAYS) : [];
}

/** Whether a block of `coverPeriod` is subtracted: its middle isn't in the period. */
export function isTakenOff({ days, firstDay }: Block, period: Period): boolean {
	const { first, last } = middlesIn(period);
	const middle = 2 * firstDay + days;
	return middle < first || middle > last;
}

/** The bounds of `2 * firstDay + days`, twice the middle, for a block that is added. */
export function middlesIn({ from, to }: Period): { first: number; last: number } {
	return { first: 2 * dayNumber(from) + 1, last: 2 * dayNumber(to) + 1 };
}

/** In blocks of one length, with longer ones in between if that takes fewer blocks. */
function coverDays(first: number, end: number, [days = 1, ...longer]: readonly number[]): Block[] {
	const direct = adjacent(first, end, days);
	const [next] = longer;
	if (!next) return direct;
	// A longer block with an end of the window in its middle is left out.
	const [start, stop] = [
		Math.floor((first + next / 2) / next) * next,
		Math.ceil((end - next / 2) / next) * next,
	];
	if (start >= stop) return direct;
	const rounded = [
		...adjacent(first, start, days),
		...coverDays(start, stop, longer),
		...adjacent(stop, end, days),
	];
	return rounded.length < direct.length ? rounded : direct;
}

/** Blocks of one length between two days, whichever is first. */
function adjacent(one: number, other: number, days: number): Block[] {
	const first = Math.min(one, other);
	return Array.from({ length: Math.abs(one - other) / days }, (_, index) => ({
		days,
		firstDay: first + index * days,
	}));
}
