/**
 * The types of reports, the dates they cover, and their labels (docs/product.md §2, 'Reports and
 * exports').
 */
import {
	addDays,
	addMonths,
	type CalendarDate,
	daysBetween,
	parseCalendarDate,
	weekdayOf,
} from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";

export const REPORT_TYPES = ["weekly", "monthly", "driver", "expense"] as const;
export type ReportType = (typeof REPORT_TYPES)[number];
export const TYPE_LABELS: Readonly<Record<ReportType, string>> = {
	weekly: "Weekly Summary",
	monthly: "Monthly Summary",
	driver: "Driver Breakdown",
	expense: "Expense Analysis",
};

export const RANGES = [
	"current_week",
	"last_week",
	"current_month",
	"last_month",
	"custom",
] as const;
export type Range = (typeof RANGES)[number];
export const RANGE_LABELS: Readonly<Record<Range, string>> = {
	current_week: "Current Week",
	last_week: "Last Week",
	current_month: "Current Month",
	last_month: "Last Month",
	custom: "Custom Range",
};

export const FORMATS = ["pdf", "csv", "excel"] as const;
export type Format = (typeof FORMATS)[number];
export const FORMAT_LABELS: Readonly<Record<Format, string>> = {
	pdf: "PDF",
	csv: "CSV",
	excel: "Excel",
};
/** The file extension of each format. */
export const EXTENSIONS: Readonly<Record<Format, string>> = {
	pdf: "pdf",
	csv: "csv",
	excel: "xlsx",
};

export const PAPERS = ["letter", "a4"] as const;
export type PaperSize = (typeof PAPERS)[number];
export const PAPER_LABELS: Readonly<Record<PaperSize, string>> = { letter: "US Letter", a4: "A4" };

/** The fleet's usual paper size. */
export function defaultPaper(timeZone: string): PaperSize {
	return /^(America|US|Canada|Pacific\/(Honolulu|Guam|Pago_Pago))/.test(timeZone) ? "letter" : "a4";
}

/** The maximum number of calendar dates in a report: a leap year. */
export const MAX_DAYS = 366;

/** Rows per page: D1 allows 1,000 queries per request. */
export const ROWS_AT_ONCE = 2500;

/** The one-click reports (docs/product.md §2). */
export const QUICK_REPORTS = [
	{ label: "Weekly PDF Report", type: "weekly", format: "pdf", range: "current_week" },
	{ label: "Monthly CSV Export", type: "monthly", format: "csv", range: "current_month" },
	{ label: "Driver Performance Excel", type: "driver", format: "excel", range: "current_month" },
] as const satisfies readonly { label: string; type: ReportType; format: Format; range: Range }[];

/** The first day of a date's week: a Sunday. */
const weekStart = (date: CalendarDate) => addDays(date, -weekdayOf(date));
const monthStart = (date: CalendarDate) => parseCalendarDate(`${date.slice(0, 8)}01`);
const monthEnd = (date: CalendarDate) => addDays(addMonths(monthStart(date), 1), -1);

/**
 * The calendar dates of a range; current ranges end today.
 * @param today in the fleet's time zone
 */
export function rangePeriod(range: Exclude<Range, "custom">, today: CalendarDate): Period {
	switch (range) {
		case "current_week":
			return { from: weekStart(today), to: today };
		case "last_week":
			return { from: addDays(weekStart(today), -7), to: addDays(weekStart(today), -1) };
		case "current_month":
			return { from: monthStart(today), to: today };
		case "last_month":
			return { from: addMonths(monthStart(today), -1), to: addDays(monthStart(today), -1) };
	}
}

/** The dates of every range except the custom one. */
export function datesOfRanges(
	today: CalendarDate,
): Record<string, { startDate: string; endDate: string }> {
	const named = RANGES.filter((range) => range !== "custom");
	return Object.fromEntries(
		named.map((range) => {
			const { from, to } = rangePeriod(range, today);
			return [range, { startDate: from, endDate: to }];
		}),
	);
}

/** How many calendar dates a period has. */
export const countDays = ({ from, to }: Period) => daysBetween(from, to) + 1;

/**
 * What a period is compared with: for a week or its start, the same days of the previous week; for
 * a month or its start, the same days of the previous month, or all of it if the month is complete;
 * for anything else, the same number of days right before it. A few days from a first that is a
 * Sunday start both: in a monthly summary a month, in other reports a week.
 */
export function previousPeriod(period: Period, type: ReportType): Period {
	const { from, to } = period;
	const isMonth = from === monthStart(from) && to <= monthEnd(from);
	const isWeek = weekdayOf(from) === 0 && countDays(period) <= 7;
	if (isWeek && !(isMonth && type === "monthly"))
		return { from: addDays(from, -7), to: addDays(to, -7) };
	if (isMonth)
		return {
			from: addMonths(from, -1),
			to: to === monthEnd(from) ? addDays(from, -1) : addMonths(to, -1),
		};
	return { from: addDays(from, -countDays(period)), to: addDays(from, -1) };
}

/** The weeks of a period, from Sunday to Saturday; the first and the last may be partial. */
export function splitIntoWeeks({ from, to }: Period): Period[] {
	const weeks: Period[] = [];
	for (let start = from; start <= to; ) {
		const end = addDays(weekStart(start), 6);
		weeks.push({ from: start, to: end < to ? end : to });
		start = addDays(end, 1);
	}
	return weeks;
}

/** Every date of a period. */
export function listDates({ from, to }: Period): CalendarDate[] {
	return Array.from({ length: countDays({ from, to }) }, (_, each) => addDays(from, each));
}

/** The name of a report's file. */
export function reportFileName(today: CalendarDate, format: Format): string {
	return `fleet-report-${today}.${EXTENSIONS[format]}`;
}

/** How soon after the day it was driven a trip was recorded, which tax offices ask about. */
export function timeliness(
	drivenOn: CalendarDate,
	recordedOn: CalendarDate,
): "Same day" | "Within a week" | "Later" {
	const days = daysBetween(drivenOn, recordedOn);
	if (days <= 0) return "Same day";
	return days <= 7 ? "Within a week" : "Later";
}

/** The first year that a log can cover. */
export const FIRST_YEAR = 2000;
/** The calendar year of a date. */
export const yearOf = (date: CalendarDate) => Number(date.slice(0, 4));
/** The calendar year, up to today. */
export function yearPeriod(year: number, today: CalendarDate): Period {
	const last = parseCalendarDate(`${year}-12-31`);
	return { from: parseCalendarDate(`${year}-01-01`), to: last < today ? last : today };
}

/**
 * The years offered to a driver, latest first: this one, and earlier ones with entries.
 * @param entries dates, at least one from every year that has any
 */
export function yearChoices(entries: readonly CalendarDate[], today: CalendarDate): number[] {
	const thisYear = yearOf(today);
	// A trip may be dated tomorrow, which on December 31 is next year and can't be requested yet.
	const earlier = entries.map(yearOf).filter((year) => year >= FIRST_YEAR && year < thisYear);
	return [...new Set([thisYear, ...earlier])].sort((a, b) => b - a);
}

export const NO_SUCH_REPORT_DRIVER = "Select a driver";
