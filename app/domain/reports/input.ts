/** The input of a report, shared by the form, the quick actions and the API. */
import * as v from "valibot";
import { type CalendarDate, isCalendarDate } from "../../values/calendar-date.ts";
import { dayOfMidnight } from "../../values/date-input.ts";
import { rowId } from "../../values/fields.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { FIRST_DATE, type Period } from "../../values/period.ts";
import {
	countDays,
	FIRST_YEAR,
	FORMAT_LABELS,
	FORMATS,
	type Format,
	MAX_DAYS,
	NO_SUCH_REPORT_DRIVER,
	PAPERS,
	RANGES,
	type Range,
	REPORT_TYPES,
	rangePeriod,
	yearOf,
} from "./rules.ts";

/** `excel` is a workbook: a client may use its file extension. */
const formatText = v.pipe(
	v.optional(v.string(), ""),
	v.transform((text) =>
		text.trim().toLowerCase() === "xlsx" ? "excel" : text.trim().toLowerCase(),
	),
);
const format = v.pipe(formatText, v.picklist(FORMATS, "Select PDF, CSV or Excel"));
const paper = v.optional(v.picklist(PAPERS, "Select US Letter or A4"));
const dateText = v.pipe(v.optional(v.string(), ""), v.trim());

type Problem = { readonly field: "startDate" | "endDate"; readonly message: string };

/** The custom dates as a period, or what's wrong with them. */
export function customPeriod(
	startText: string,
	endText: string,
	today: CalendarDate,
): Period | readonly Problem[] {
	const [from, to] = [dayOfMidnight(startText), dayOfMidnight(endText)];
	const missing = [
		...(from === "" ? [{ field: "startDate" as const, message: "Select a start date" }] : []),
		...(to === "" ? [{ field: "endDate" as const, message: "Select an end date" }] : []),
	];
	if (missing.length > 0) return missing;
	if (!isCalendarDate(from))
		return [{ field: "startDate", message: "Enter a valid start date (YYYY-MM-DD)" }];
	if (!isCalendarDate(to))
		return [{ field: "endDate", message: "Enter a valid end date (YYYY-MM-DD)" }];
	if (from > to)
		return [{ field: "startDate", message: "The start date must be on or before the end date" }];
	if (from > today)
		return [{ field: "startDate", message: "The start date can't be in the future" }];
	if (to > today) return [{ field: "endDate", message: "The end date can't be in the future" }];
	if (from < FIRST_DATE)
		return [{ field: "startDate", message: "Check the year of the start date" }];
	const period = { from, to };
	if (countDays(period) > MAX_DAYS)
		return [{ field: "endDate", message: `A report can cover up to ${MAX_DAYS} days` }];
	return period;
}

/** What the dates are judged by. */
const DATES = v.object({ range: v.picklist(RANGES), startDate: v.string(), endDate: v.string() });

const toPeriod = (
	{ range, startDate, endDate }: v.InferOutput<typeof DATES>,
	today: CalendarDate,
) => (range === "custom" ? customPeriod(startDate, endDate, today) : rangePeriod(range, today));

/**
 * Type, format and dates of a report. Without `range` the dates are custom, as in the API call of
 * docs/product.md §7.
 * @param today in the fleet's zone
 */
export function reportInput(today: CalendarDate) {
	return v.pipe(
		v.object({
			type: v.pipe(v.optional(v.string(), ""), v.picklist(REPORT_TYPES, "Select a report type")),
			format,
			range: v.optional(v.picklist(RANGES, "Select a date range"), "custom" satisfies Range),
			startDate: dateText,
			endDate: dateText,
			paper,
		}),
		// Even when something else is wrong, so that every problem is reported at once.
		v.rawCheck(({ dataset, addIssue }) => {
			const dates = v.safeParse(DATES, dataset.value);
			if (!dates.success) return;
			const period = toPeriod(dates.output, today);
			if ("from" in period) return;
			for (const { field, message } of period) {
				const value = dates.output[field];
				addIssue({
					message,
					path: [{ type: "object", origin: "value", input: dates.output, key: field, value }],
				});
			}
		}),
		v.transform(({ type, format, range, startDate, endDate, paper }) => {
			const period = toPeriod({ range, startDate, endDate }, today);
			if (!("from" in period)) throw new Error("dates that were refused have no period");
			return { type, format, period, paper };
		}),
	);
}
export type ReportRequest = v.InferOutput<ReturnType<typeof reportInput>>;

/** What was chosen, as the audit keeps it. */
export function reportAuditDetails({ type, format, period }: ReportRequest) {
	return { type, format, from: period.from, to: period.to };
}

/** A calendar year that a report can cover. */
function taxYear(today: CalendarDate) {
	const thisYear = yearOf(today);
	return v.pipe(
		v.optional(v.string(), ""),
		v.regex(/^\d{4}$/, "Enter a year, such as 2026"),
		v.transform(Number),
		v.check(
			(year) => year >= FIRST_YEAR && year <= thisYear,
			`The year must be between ${FIRST_YEAR} and ${thisYear}`,
		),
	);
}

/**
 * Whose log of which year.
 * @param today in the fleet's zone
 */
export function mileageLogInput(today: CalendarDate) {
	return v.object({
		/** The driver's user id. */
		driverId: v.pipe(
			v.optional(v.string(), ""),
			v.custom<string>((text) => v.is(rowId, text), NO_SUCH_REPORT_DRIVER),
		),
		year: taxYear(today),
		format: v.pipe(
			format,
			v.check((chosen) => chosen !== "csv", "Select PDF or Excel"),
		),
		paper,
	});
}
export type MileageLogRequest = v.InferOutput<ReturnType<typeof mileageLogInput>>;

export type NoOwnYear = Refused<"invalid", { readonly message: string }>;

/**
 * What a link to a file of a driver's own year asks for.
 * @param today in the fleet's zone
 * @param formats the file's formats
 */
export function parseOwnYear<Own extends Format>(
	query: URLSearchParams,
	today: CalendarDate,
	formats: readonly [Own, ...Own[]],
): Outcome<{ readonly year: number; readonly format: Own }, NoOwnYear> {
	const words = formats.map((each) => FORMAT_LABELS[each]).join(" or ");
	const asked = v.safeParse(
		v.object({
			year: taxYear(today),
			format: v.pipe(formatText, v.picklist(formats, `Select ${words}`)),
		}),
		{ year: query.get("year") ?? undefined, format: query.get("format") ?? undefined },
	);
	if (asked.success) return done(asked.output);
	return refused("invalid", {
		message: asked.issues.map(({ message }) => `${message}.`).join(" "),
	});
}
