/**
 * The day of a transaction as written in its file: no time zone shifts it, and no day starts at 4.
 */
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { toPlainNumeral } from "../../values/numeral.ts";
import { monthOf } from "./months.ts";

/** A valid day from a year, a month and a day in digits. */
export function toDay(year: string, month: string, day: string): CalendarDate | undefined {
	const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
	return isCalendarDate(text) ? text : undefined;
}

/** What stands between two of a date's numbers. */
export type Separator = "/" | "-" | ".";
export type DateOrder = "day-first" | "month-first";
/** The order of a file's dates, by separator. */
export type DateOrders = Readonly<Record<Separator, DateOrder>>;

/** The default orders: with dots the day comes first everywhere. */
export const USUAL_ORDERS: DateOrders = {
	"/": "month-first",
	"-": "month-first",
	".": "day-first",
};

/** The two days a cell may mean; the same one if its order doesn't matter. */
export type EitherDay = {
	readonly separator: Separator;
	readonly "day-first": CalendarDate | undefined;
	readonly "month-first": CalendarDate | undefined;
};

/**
 * A time of day, with what may follow it: ` 08:14:22.351 -0500 CST`, `, 8:14 AM`, `T08:14Z`,
 * `:08:14:22`.
 */
const CLOCK = "\\d{1,2}(?:[:.]\\d{2}(?:[:.]\\d{2}(?:[.,]\\d{1,9})?)?)";
const ZONE = "(?:\\s*Z|\\s*[+\\-−]\\d{1,2}:?(?:\\d{2})?)?(?:\\s+[\\p{L}\\d+\\-:/_().]+)*";
const TIME = `(?:(?:,?\\s+(?:at\\s+)?|T|:(?=\\d{2}:))(?:${CLOCK}|\\d{1,2}(?=\\s*[ap]\\.?m))(?:\\s*[ap]\\.?m\\.?)?${ZONE})?`;
const pattern = (text: string) => new RegExp(`^${text}${TIME}$`, "iu");

/** The zone of a date without a time, as in XML: `2026-09-21Z`, `2026-09-21+02:00`. */
const DATE_ZONE = "(?:Z|[+-]\\d{2}:\\d{2}| [+-]\\d{4})?";
const YEAR_FIRST = pattern(
	`(\\d{4})\\s?([-/._ ])\\s?(\\d{1,2})\\s?\\2\\s?(\\d{1,2})\\.?${DATE_ZONE}`,
);
const EAST_ASIAN = pattern("(\\d{4})\\s?[年년]\\s?(\\d{1,2})\\s?[月월]\\s?(\\d{1,2})\\s?[日일]");
const COMPACT = /^(20\d{2})(\d{2})(\d{2})(?:T\d{4,6}Z?)?$/i;
const YEAR_LAST = pattern("(\\d{1,2})([-/.])\\s?(\\d{1,2})\\2\\s?(\\d{4}|\\d{2})\\.?");
const OF = "[-/., ]+(?:(?:de|del|of) )?";
const NAMED_DAY_FIRST = pattern(
	`(\\d{1,2})(?:st|nd|rd|th|º|er)?${OF}(\\p{L}{3,12})${OF}'?(\\d{4}|\\d{2})`,
);
/** `21SEP2026` */
const NAMED_COMPACT = pattern("(\\d{1,2})(\\p{L}{3,12})(\\d{4}|\\d{2})");
const NAMED_MONTH_FIRST = pattern(
	"(\\p{L}{3,12})[-/. ]+(\\d{1,2})(?:st|nd|rd|th)?[-/, ]+'?(\\d{4}|\\d{2})",
);
const NAMED_YEAR_FIRST = pattern("(\\d{4})[-/. ]+(\\p{L}{3,12})[-/. ]+(\\d{1,2})");
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}\.?,? +(?=[\p{L}\d])/iu;

/** Other dashes of a date: two of one kind, since one alone may mean a range of days. */
const DASHES = /^([\p{L}\d]+)([‐‑‒–−﹣－])([\p{L}\d]+)\2/u;

/** A cell with plain digits, blanks and separators, and without a weekday. */
const toPlainDate = (cell: string) =>
	toPlainNumeral(cell)
		.replaceAll("／", "/")
		.replaceAll("．", ".")
		.replace(DASHES, "$1-$3-")
		.replace(/\s+/g, " ")
		.replace(WEEKDAY, "");

const fullYear = (year: string) => (year.length === 2 ? `20${year}` : year);

/** A day in words, or with its year first, which can mean one day only. */
function certainDay(text: string): CalendarDate | undefined {
	const [, a = "", , b = "", c = ""] = YEAR_FIRST.exec(text) ?? [];
	if (a !== "") return toDay(a, b, c);
	const [, year = "", month = "", day = ""] = EAST_ASIAN.exec(text) ?? COMPACT.exec(text) ?? [];
	if (year !== "") return toDay(year, month, day);
	const [, first = "", name = "", last = ""] =
		NAMED_DAY_FIRST.exec(text) ?? NAMED_COMPACT.exec(text) ?? [];
	if (first !== "") return toDay(fullYear(last), monthOf(name), first);
	const [, word = "", date = "", end = ""] = NAMED_MONTH_FIRST.exec(text) ?? [];
	if (word !== "") return toDay(fullYear(end), monthOf(word), date);
	const [, begin = "", middle = "", number = ""] = NAMED_YEAR_FIRST.exec(text) ?? [];
	return toDay(begin, monthOf(middle), number);
}

/** The day in a cell, or both days that it may mean, or nothing. */
export function readDay(cell: string): CalendarDate | EitherDay | undefined {
	const text = toPlainDate(cell);
	const [, a = "", separator, b = "", year = ""] = YEAR_LAST.exec(text) ?? [];
	if (separator === undefined) return certainDay(text);
	const dayFirst = toDay(fullYear(year), b, a);
	const monthFirst = toDay(fullYear(year), a, b);
	if (dayFirst === monthFirst) return dayFirst;
	return { separator: separator as Separator, "day-first": dayFirst, "month-first": monthFirst };
}

/** The day in a cell by its file's orders; `undefined` for none, or if its order isn't known. */
export function dayAsWritten(cell: string, orders: Partial<DateOrders>): CalendarDate | undefined {
	const day = readDay(cell);
	if (typeof day !== "object") return day;
	const order = orders[day.separator];
	return order && day[order];
}

/**
 * Whether a cell is a day as Excel counts them, 46286, in this century: the column isn't formatted
 * as a date.
 */
export function isExcelDateNumber(cell: string): boolean {
	const text = cell.trim();
	const days = Number(/^\d{5}(?:[.,]\d{1,15})?$/.test(text) ? text.slice(0, 5) : 0);
	return days >= 36_526 && days <= 73_050;
}

/** Why a cell can't be read as a day. */
export const whyNoDay = (cell: string): string =>
	isExcelDateNumber(cell)
		? `${cell.trim()} is an Excel date number. Format the column as a date in Excel, save the file again and choose it`
		: "Enter a valid date (YYYY-MM-DD)";
