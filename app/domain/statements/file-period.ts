/**
 * The days a statement covers, from its file name, because by-period files state them nowhere else.
 * Browsers append ' (1)' to a name, replace spaces and colons with underscores, and decompose
 * accents.
 */
import { addDays, addMonths, type CalendarDate, weekdayOf } from "../../values/calendar-date.ts";
import { toDay } from "./day.ts";
import { foldHeading } from "./heading.ts";
import { monthOf } from "./months.ts";
import type { Platform, StatementPeriod } from "./statement.ts";

const pair = (from: CalendarDate | undefined, to: CalendarDate | undefined) =>
	from && to && from <= to ? { from, to } : undefined;

/** The Monday of an ISO week; week 1 is the one with January 4 in it. */
function isoWeek(year: string, week: string): StatementPeriod | undefined {
	const fourth = toDay(year, "1", "4");
	const count = Number(week);
	if (!fourth || count < 1 || count > 53) return undefined;
	const monday = addDays(fourth, -((weekdayOf(fourth) + 6) % 7) + 7 * (count - 1));
	// Week 53 of a year that has 52 is week 1 of the next.
	const thursday = addDays(monday, 3);
	return thursday.startsWith(year) ? { from: monday, to: addDays(monday, 6) } : undefined;
}

function wholeMonth(year: string, month: string): StatementPeriod | undefined {
	const first = toDay(year, month, "1");
	return first && { from: first, to: addDays(addMonths(first, 1), -1) };
}

type Shape = {
	readonly pattern: RegExp;
	readonly read: (parts: readonly string[]) => StatementPeriod | undefined;
};

/** Each in the folded name; `-`, `_` and spaces are equivalent. */
const GAP = "[-_ ]+";
const WORDED = "(\\d{1,2})\\.?[-_ ]+(?:de[-_ ]+)?(\\p{L}{3,12})\\.?[-_ ]+(?:de[-_ ]+)?(\\d{4})";
const DOTTED = "(\\d{1,2})[-_.](\\d{1,2})[-_.](\\d{4})";
const ISO = "(\\d{4})[-_](\\d{2})[-_](\\d{2})";
const alone = (text: string) => new RegExp(`(?<!\\d)${text}(?!\\d)`, "u");
const SHAPES: readonly Shape[] = [
	{
		pattern: alone(`(\\d{4})(\\d{2})(\\d{2})${GAP}(\\d{4})(\\d{2})(\\d{2})`),
		read: ([a = "", b = "", c = "", d = "", e = "", f = ""]) =>
			pair(toDay(a, b, c), toDay(d, e, f)),
	},
	{
		pattern: alone(`${ISO}${GAP}${ISO}`),
		read: ([a = "", b = "", c = "", d = "", e = "", f = ""]) =>
			pair(toDay(a, b, c), toDay(d, e, f)),
	},
	{
		pattern: alone(`${WORDED}${GAP}${WORDED}`),
		read: ([a = "", b = "", c = "", d = "", e = "", f = ""]) =>
			pair(toDay(c, monthOf(b), a), toDay(f, monthOf(e), d)),
	},
	{
		pattern: alone(`${DOTTED}${GAP}${DOTTED}`),
		read: ([a = "", b = "", c = "", d = "", e = "", f = ""]) =>
			pair(toDay(c, b, a), toDay(f, e, d)),
	},
	{
		pattern: alone(`(\\d{4})[-_ ]?w[-_ ]?(\\d{1,2})`),
		read: ([year = "", week = ""]) => isoWeek(year, week),
	},
	{
		pattern: alone("(20\\d{2})[-_](0[1-9]|1[0-2])(?![-_]\\d)"),
		read: ([year = "", month = ""]) => wholeMonth(year, month),
	},
];

/**
 * The period in a file name, both days included. Uber's week is written Monday to Monday, which
 * excludes its last day; every other pair includes both.
 */
export function periodInFileName(fileName: string, platform: Platform): StatementPeriod | null {
	const name = foldHeading(fileName);
	for (const { pattern, read } of SHAPES) {
		const found = pattern.exec(name);
		const period = found && read(found.slice(1));
		if (!period) continue;
		const { from, to } = period;
		const endsOnMonday = weekdayOf(from) === 1 && weekdayOf(to) === 1 && from < to;
		return platform === "uber" && endsOnMonday ? { from, to: addDays(to, -1) } : period;
	}
	return null;
}
