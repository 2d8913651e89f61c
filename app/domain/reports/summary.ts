/**
 * The weekly and monthly summary: a period's totals, compared with the previous one, day by day or
 * week by week.
 */
import { type CalendarDate, formatDay, formatWeekday } from "../../values/calendar-date.ts";
import { inUnits } from "../../values/fleet-units.ts";
import type { Period } from "../../values/period.ts";
import {
	costPerMile,
	feeCents,
	feeCount,
	requestCents,
	type Totals,
	ZERO_TOTALS,
} from "../analytics/rules.ts";
import type { Cell, Chart, Column, Row, Section } from "./document.ts";
import {
	FIGURE_COLUMNS,
	figuresTotal,
	otherRequestCents,
	percentChange,
	SPEND_NOTE,
	sumTotals,
	toFigures,
} from "./figures.ts";
import { listDates, splitIntoWeeks } from "./rules.ts";

export type SummaryFigures = {
	readonly period: Period;
	readonly totals: Totals;
	readonly earlier: Totals;
	/** Drivers with at least one trip. */
	readonly activeDrivers: number;
	readonly earlierDrivers: number;
	/** Dates on which something counts; the others are absent. */
	readonly days: ReadonlyMap<CalendarDate, Totals>;
};

function comparison(
	title: string,
	kind: "cents" | "number",
	lines: readonly (readonly [string, number, number])[],
	note?: string,
): Section {
	const columns: readonly Column[] = [
		{ head: title, kind: "text", width: 40 },
		{ head: "This Period", kind, width: 16 },
		{ head: "Previous Period", kind, width: 16 },
		{ head: "Change", kind: "change", width: 12 },
	];
	const rows = lines.map(
		([label, now, before]): Row => [label, now, before, percentChange(now, before)],
	);
	return { title, columns, pages: () => [rows], empty: "", ...(note ? { note } : {}) };
}

function comparisons({
	totals,
	earlier,
	activeDrivers,
	earlierDrivers,
}: SummaryFigures): Section[] {
	const both = (label: string, of: (totals: Totals) => number) =>
		[label, of(totals), of(earlier)] as const;
	return [
		comparison(
			"Spending",
			"cents",
			[
				both("Fuel Expenses", ({ fuelCents }) => fuelCents),
				both("Uber Fees", feeCents),
				both("Total Spend", (each) => each.fuelCents + feeCents(each)),
				both("Other Requests", otherRequestCents),
				both(inUnits("Cost per Mile"), costPerMile),
			],
			SPEND_NOTE,
		),
		comparison("Activity", "number", [
			both(inUnits("Miles"), ({ miles }) => miles),
			both("Trips", ({ trips }) => trips),
			["Active Drivers", activeDrivers, earlierDrivers],
			both(
				"Approved Requests",
				(each) => each.fuelRequests + each.maintenanceRequests + each.otherRequests,
			),
			both("Uber Fee Entries", feeCount),
		]),
	];
}

/** Bars of fuel and fees; none if nothing was spent. */
function spendChart(
	alt: string,
	bars: readonly { label: string; totals: Totals }[],
): { chart: Chart } | Record<string, never> {
	if (bars.length < 2 || bars.every(({ totals }) => requestCents(totals) + feeCents(totals) === 0))
		return {};
	return {
		chart: {
			alt,
			unit: "cents",
			series: ["Fuel", "Uber Fees"],
			bars: bars.map(({ label, totals }) => ({
				label,
				values: [totals.fuelCents, feeCents(totals)],
			})),
		},
	};
}

const NO_ACTIVITY = "No activity in this period.";

function byDay({ period, days }: SummaryFigures): Section {
	const all = listDates(period).map((date) => ({ date, totals: days.get(date) ?? ZERO_TOTALS }));
	return {
		title: "By Day",
		columns: [
			{ head: "Date", kind: "date", width: 12 },
			{ head: "Day", kind: "text", width: 11 },
			...FIGURE_COLUMNS,
		],
		pages: () => [
			all.map(({ date, totals }): Row => [date, formatWeekday(date), ...toFigures(totals)]),
		],
		totals: (sums) => ["Total", null, ...figuresTotal(sums, 2)],
		empty: NO_ACTIVITY,
		...spendChart(
			"Bar chart of fuel and Uber fees by day. The table below has the figures.",
			all.map(({ date, totals }) => ({ label: formatDay(date), totals })),
		),
	};
}

function byWeek({ period, days }: SummaryFigures): Section {
	const all = splitIntoWeeks(period).map((week) => ({
		week,
		totals: sumTotals(listDates(week).map((date) => days.get(date) ?? ZERO_TOTALS)),
	}));
	const cells = ({ from, to }: Period): Cell[] => [from, to];
	return {
		title: "By Week",
		note: "Weeks start on Sunday. The first and last may be partial weeks.",
		columns: [
			{ head: "From", kind: "date", width: 12 },
			{ head: "To", kind: "date", width: 12 },
			...FIGURE_COLUMNS,
		],
		pages: () => [all.map(({ week, totals }): Row => [...cells(week), ...toFigures(totals)])],
		totals: (sums) => ["Total", null, ...figuresTotal(sums, 2)],
		empty: NO_ACTIVITY,
		...spendChart(
			"Bar chart of fuel and Uber fees by week. The table below has the figures.",
			all.map(({ week, totals }) => ({ label: formatDay(week.from), totals })),
		),
	};
}

export const weeklySections = (figures: SummaryFigures): Section[] => [
	...comparisons(figures),
	byDay(figures),
];
export const monthlySections = (figures: SummaryFigures): Section[] => [
	...comparisons(figures),
	byWeek(figures),
];
