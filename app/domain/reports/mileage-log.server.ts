/** A driver's mileage log for a calendar year, as a tax office expects it. */
import type { Database } from "../../db/client.server.ts";
import { formatMiles } from "../../values/miles.ts";
import type { Period } from "../../values/period.ts";
import { selectTotals } from "../analytics/queries.server.ts";
import { type Totals, ZERO_TOTALS } from "../analytics/rules.ts";
import type { AdminContext, AuthenticatedContext, DriverContext } from "../context.ts";
import type { LogCursor } from "../mileage/rules.ts";
import type { ReportDocument } from "./document.ts";
import {
	type DriverReport,
	driverYearFacts,
	fileCode,
	reportHeader,
	reportMeta,
	TAX_ADVICE_FACT,
} from "./figures.ts";
import type { MileageLogRequest } from "./input.ts";
import { readingWords, SIGNATURE, tripSection, voidedSection } from "./mileage-log.ts";
import {
	findLogDriver,
	selectTrips,
	selectVoidedTrips,
	type Trip,
	type VoidedTrip,
} from "./queries.server.ts";
import { ROWS_AT_ONCE, yearPeriod } from "./rules.ts";

/** Whose log, and for which period. */
type Subject = {
	readonly id: string;
	readonly firstName: string;
	readonly lastName: string;
	readonly driverNumber: number | null;
	readonly year: number;
	readonly period: Period;
};

/** What every log begins with, read in one trip. */
const logStatements = ({ build }: Database, driverId: string, period: Period) => ({
	totals: selectTotals(build, driverId, period),
	first: selectTrips(build, driverId, period, ROWS_AT_ONCE),
	last: selectTrips(build, driverId, period, 1, undefined, true),
});
type Beginning = {
	readonly totals: readonly Totals[];
	readonly first: readonly Trip[];
	readonly last: readonly Trip[];
};

/**
 * The log of a driver, as an administrator has it; undefined when there is no such driver.
 * @param fleet the fleet's name
 */
export async function buildMileageLog(
	admin: AdminContext,
	{ driverId, year }: MileageLogRequest,
	fleet: string,
): Promise<DriverReport | undefined> {
	const { db, today, timeZone } = admin;
	const period = yearPeriod(year, today);
	const { drivers, ...beginning } = await db.batch({
		drivers: findLogDriver(db.build, driverId),
		...logStatements(db, driverId, period),
	});
	const [driver] = drivers;
	if (!driver) return undefined;
	const subject = { ...driver, year, period };
	const trips = tripSection(fleet, timeZone, "Voided entries are omitted.", () =>
		tripPages(db, subject, beginning.first),
	);
	return {
		document: {
			...logHeader(admin, fleet, subject, beginning),
			sections: [trips],
			signature: SIGNATURE,
		},
		code: fileCode(driver),
	};
}

/**
 * The log of the driver who asks: the same, and apart from it what was voided.
 * @param fleet the fleet's name
 */
export async function buildOwnMileageLog(
	driver: DriverContext,
	year: number,
	fleet: string,
): Promise<DriverReport> {
	const { db, user, today, timeZone } = driver;
	const period = yearPeriod(year, today);
	const subject = { ...user, year, period };
	const beginning = await db.batch(logStatements(db, user.id, period));
	const trips = tripSection(fleet, timeZone, "Voided entries are listed separately.", () =>
		tripPages(db, subject, beginning.first),
	);
	const voided = voidedSection(timeZone, () => voidedPages(db, subject));
	const { facts, ...header } = logHeader(driver, fleet, subject, beginning);
	return {
		document: {
			...header,
			facts: [...facts, TAX_ADVICE_FACT],
			sections: [trips, voided],
			signature: SIGNATURE,
		},
		code: fileCode(user),
	};
}

function logHeader(
	reader: AuthenticatedContext,
	fleet: string,
	{ year, period, ...driver }: Subject,
	{ totals, first, last }: Beginning,
): Omit<ReportDocument, "sections"> {
	const { trips, miles } = totals[0] ?? ZERO_TOTALS;
	return reportHeader(reportMeta(reader, fleet), `Mileage Log ${year}`, [
		...driverYearFacts(driver, year, period),
		["Trips", formatMiles(trips)],
		["Miles", formatMiles(miles)],
		["First reading", readingWords(first[0], "startMiles")],
		["Last reading", readingWords(last[0], "endMiles")],
	]);
}

/** @param first the first page, already read */
const tripPages = (db: Database, { id, period }: Subject, first: readonly Trip[]) =>
	pagesOf<Trip>(
		async (after) =>
			(await db.batch({ trips: selectTrips(db.build, id, period, ROWS_AT_ONCE, after) })).trips,
		first,
	);

const voidedPages = (db: Database, { id, period }: Subject) =>
	pagesOf<VoidedTrip>(
		async (after) =>
			(await db.batch({ trips: selectVoidedTrips(db.build, id, period, ROWS_AT_ONCE, after) }))
				.trips,
	);

/** Trips page by page, until a page is not full. */
async function* pagesOf<Each extends LogCursor>(
	read: (after: Each | undefined) => Promise<readonly Each[]>,
	first?: readonly Each[],
): AsyncGenerator<readonly Each[]> {
	for (let page = first ?? (await read(undefined)); ; page = await read(page.at(-1))) {
		yield page;
		if (page.length < ROWS_AT_ONCE) return;
	}
}
