/** A driver's mileage log of a calendar year, as a tax office asks for it. */
import { dateIn, format24HourTime, formatDate } from "../../values/calendar-date.ts";
import { formatMiles } from "../../values/miles.ts";
import type { Period } from "../../values/period.ts";
import { selectTotals } from "../analytics/queries.server.ts";
import { ZERO_TOTALS } from "../analytics/rules.ts";
import type { AdminContext } from "../context.ts";
import { displayName, formatDriverCode } from "../users/rules.ts";
import type { Column, ReportDocument, Row } from "./document.ts";
import { periodFacts, reportHeader, reportMeta } from "./figures.ts";
import type { MileageLogRequest } from "./input.ts";
import { findLogDriver, selectTrips, type Trip } from "./queries.server.ts";
import { ROWS_AT_ONCE, timeliness, yearPeriod } from "./rules.ts";

const COLUMNS: readonly Column[] = [
	{ head: "Date", kind: "date", width: 12 },
	{ head: "Start", kind: "number", width: 10 },
	{ head: "End", kind: "number", width: 10 },
	{ head: "Miles", kind: "number", width: 8 },
	{ head: "Notes", kind: "text", width: 36 },
	{ head: "Recorded", kind: "moment", width: 22 },
	{ head: "Timeliness", kind: "text", width: 14 },
];

const SIGNATURE = {
	statement: "I certify that this log is true and complete.",
	lines: ["Driver's signature", "Date"],
};

/** A log, and the code of its driver, which names its file. */
export type MileageLog = { readonly document: ReportDocument; readonly code: string };

/**
 * The log; undefined when there is no such driver.
 * @param fleet what the fleet is called
 */
export async function buildMileageLog(
	admin: AdminContext,
	{ driverId, year }: MileageLogRequest,
	fleet: string,
): Promise<MileageLog | undefined> {
	const { db, today, timeZone } = admin;
	const period = yearPeriod(year, today);
	const { drivers, totals, first, last } = await db.batch({
		drivers: findLogDriver(db.build, driverId),
		totals: selectTotals(db.build, driverId, period),
		first: selectTrips(db.build, driverId, period, ROWS_AT_ONCE),
		last: selectTrips(db.build, driverId, period, 1, undefined, true),
	});
	const [driver] = drivers;
	if (!driver) return undefined;
	const code = formatDriverCode(driver.driverNumber) ?? "no-code";
	const { trips, miles } = totals[0] ?? ZERO_TOTALS;
	const frame = reportHeader(reportMeta(admin, fleet), `Mileage Log ${year}`, [
		["Driver", `${displayName({ ...driver, email: null })} (${code})`],
		["Tax year", String(year)],
		...periodFacts(period),
		["Trips", formatMiles(trips)],
		["Miles", formatMiles(miles)],
		["First reading", readingOf(first[0], "startMiles")],
		["Last reading", readingOf(last[0], "endMiles")],
	]);
	const section = {
		title: "Mileage Log",
		note: `Recorded is when ${fleet} received the entry. Timeliness compares that with the date driven. Voided entries are omitted.`,
		columns: COLUMNS,
		pages: () => pagesOf(admin, driverId, period, first, timeZone),
		totals: ([, , , sum = 0]: readonly number[]): Row => [
			"Total",
			null,
			null,
			sum,
			null,
			null,
			null,
		],
		empty: "No trips were logged this year.",
	};
	return { document: { ...frame, sections: [section], signature: SIGNATURE }, code };
}

function readingOf(trip: Trip | undefined, which: "startMiles" | "endMiles"): string {
	return trip ? `${formatMiles(trip[which])} on ${formatDate(trip.drivenOn)}` : "none";
}

function rowOf(
	{ drivenOn, startMiles, endMiles, miles, notes, createdAt }: Trip,
	timeZone: string,
): Row {
	const recordedOn = dateIn(timeZone, createdAt);
	const recorded = `${recordedOn} ${format24HourTime(timeZone, createdAt)}`;
	return [drivenOn, startMiles, endMiles, miles, notes, recorded, timeliness(drivenOn, recordedOn)];
}

/** @param first the first page, already read */
async function* pagesOf(
	{ db }: AdminContext,
	driverId: string,
	period: Period,
	first: readonly Trip[],
	timeZone: string,
): AsyncGenerator<readonly Row[]> {
	for (let page = first; ; ) {
		yield page.map((trip) => rowOf(trip, timeZone));
		const last = page.at(-1);
		if (page.length < ROWS_AT_ONCE || !last) return;
		page = (await db.batch({ trips: selectTrips(db.build, driverId, period, ROWS_AT_ONCE, last) }))
			.trips;
	}
}
