/** The driver breakdown: one row per driver, the tiers, and each driver's days. */

import { inUnits } from "../../values/fleet-units.ts";
import { centsPerMile, formatDollars } from "../../values/money.ts";
import type { DriverTotals } from "../analytics/queries.server.ts";
import { costPerMile, feeCents, getTier, TIERS, type Totals } from "../analytics/rules.ts";
import type { Thresholds } from "../kernel/fleet-settings.ts";
import type { Cell, Column, Row, Section } from "./document.ts";
import {
	DRIVER_COLUMNS,
	driverCells,
	FIGURE_COLUMNS,
	FORMER_DRIVERS,
	figuresTotal,
	otherRequestCents,
	SPEND_NOTE,
	totalsOutsideDrivers,
} from "./figures.ts";

const COLUMNS: readonly Column[] = [
	...DRIVER_COLUMNS,
	{ head: "Miles", kind: "number", width: 10 },
	{ head: "Fuel", kind: "cents", width: 12 },
	{ head: "Uber Fees", kind: "cents", width: 12 },
	{ head: "Other Requests", kind: "cents", width: 12 },
	{ head: "Cost per Mile", kind: "cents", width: 9 },
	{ head: "Efficiency", kind: "text", width: 18 },
];
/** Drivers in the chart. */
const CHARTED = 10;

function driverRow(names: readonly Cell[], totals: Totals, thresholds: Thresholds): Row {
	return [
		...names,
		totals.miles,
		totals.fuelCents,
		feeCents(totals),
		otherRequestCents(totals),
		costPerMile(totals),
		getTier(totals, thresholds) ?? inUnits("No miles"),
	];
}

/** Every approved driver, with or without figures, and the fleet's figures outside them. */
function driversSection(
	fleet: Totals,
	drivers: readonly DriverTotals[],
	thresholds: Thresholds,
): Section {
	const [excellent, good] = [thresholds.excellentUnderCents, thresholds.goodUnderCents].map(
		formatDollars,
	);
	const others = totalsOutsideDrivers(fleet, drivers);
	const rows = [
		...drivers.map((each) => driverRow(driverCells(each), each, thresholds)),
		...(others ? [[...driverRow(FORMER_DRIVERS, others, thresholds).slice(0, -1), ""]] : []),
	];
	const most = drivers
		.filter(({ miles }) => miles > 0)
		.sort((a, b) => b.miles - a.miles)
		.slice(0, CHARTED);
	return {
		title: "Drivers",
		note: `One row per approved driver, inactive drivers last. Efficiency is based on fuel cost per ${inUnits("mile")}: under ${excellent} Excellent, under ${good} Good, ${good} or more Needs Improvement.`,
		columns: COLUMNS,
		pages: () => [rows],
		totals: ([, , miles = 0, fuel = 0, fees = 0, other = 0]) => [
			"Total",
			null,
			miles,
			fuel,
			fees,
			other,
			centsPerMile(fuel, miles),
			null,
		],
		empty: "No approved drivers.",
		...(most.length > 1
			? {
					chart: {
						alt: `Bar chart of ${inUnits("miles")} for the top ${most.length} drivers. The table below has the figures.`,
						unit: "number" as const,
						series: [
							drivers.length > CHARTED
								? `${inUnits("Miles")}, top ${most.length} drivers`
								: inUnits("Miles"),
						],
						bars: most.map(({ firstName, lastName, miles }) => ({
							label: `${firstName} ${lastName}`.trim(),
							values: [miles],
						})),
					},
				}
			: {}),
	};
}

/** Counts the rows of the table of drivers. */
function tiersSection(drivers: readonly DriverTotals[], thresholds: Thresholds): Section {
	const names = [...TIERS, "No miles"] as const;
	const rows = names.map(
		(name): Row => [
			inUnits(name),
			drivers.filter((each) => (getTier(each, thresholds) ?? "No miles") === name).length,
		],
	);
	return {
		title: "Efficiency",
		columns: [
			{ head: "Efficiency", kind: "text", width: 40 },
			{ head: "Drivers", kind: "number", width: 12 },
		],
		pages: () => [rows],
		totals: ([, count = 0]) => ["Total", count],
		empty: "",
	};
}

/** @param pages of rows that start with the driver's cells, driver by driver */
function daysSection(pages: Section["pages"]): Section {
	return {
		title: "By Driver and Day",
		note: `Days with no activity are omitted. ${SPEND_NOTE}`,
		columns: [...DRIVER_COLUMNS, { head: "Date", kind: "date", width: 12 }, ...FIGURE_COLUMNS],
		pages,
		group: { columns: DRIVER_COLUMNS.length },
		totals: (sums) => ["Total", null, null, ...figuresTotal(sums, 3)],
		empty: "No driver activity in this period.",
	};
}

export function driverSections(
	fleet: Totals,
	drivers: readonly DriverTotals[],
	thresholds: Thresholds,
	pages: Section["pages"],
): Section[] {
	return [
		driversSection(fleet, drivers, thresholds),
		tiersSection(drivers, thresholds),
		daysSection(pages),
	];
}
