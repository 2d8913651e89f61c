/** A driver's mileage log for a calendar year, as a tax office expects it. */
import type { Builder, Database, Statement } from "../../db/client.server.ts";
import { formatCount } from "../../values/count.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { formatMiles } from "../../values/miles.ts";
import type { Period } from "../../values/period.ts";
import { selectTotals } from "../analytics/queries.server.ts";
import { type Totals, ZERO_TOTALS } from "../analytics/rules.ts";
import { type ClosedUntil, selectClosedUntil } from "../archive/closed-years.server.ts";
import { withArchived } from "../archive/read.server.ts";
import type { AuthenticatedContext, DriverContext, ReaderContext } from "../kernel/context.ts";
import type { LogCursor } from "../mileage/search.ts";
import type { ReportDocument } from "./document.ts";
import {
	businessFacts,
	codeForFileName,
	type DriverReport,
	driverYearFacts,
	reportHeader,
	reportMeta,
	sumPersonal,
	TAX_ADVICE_FACT,
} from "./figures.ts";
import type { MileageLogRequest } from "./input.ts";
import { readingWords, SIGNATURE, tripSection, voidedSection } from "./mileage-log.ts";
import {
	findLogDriver,
	type PersonalTrip,
	selectPersonalTrips,
	selectTrips,
	selectVoidedTrips,
	type Trip,
	type VoidedTrip,
	withArchivedPersonalTrips,
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
	totals: selectTotals(driverId, period),
	first: selectTrips(build, driverId, period, ROWS_AT_ONCE),
	last: selectTrips(build, driverId, period, 1, undefined, true),
	personal: selectPersonalTrips(build, driverId, period),
	closed: selectClosedUntil(build),
});
type Beginning = {
	readonly totals: readonly Totals[];
	readonly first: readonly Trip[];
	readonly last: readonly Trip[];
	readonly personal: readonly PersonalTrip[];
	readonly closed: ClosedUntil;
};

/** The beginning, including its archived part. */
async function withArchivedTrips(
	reader: AuthenticatedContext,
	{ id, period }: Subject,
	beginning: Beginning,
): Promise<Beginning> {
	const { first, last, personal, closed } = beginning;
	const page = { from: period.from, placeOf: (trip: Trip) => trip };
	return {
		...beginning,
		personal: await withArchivedPersonalTrips(reader, closed, personal, id, period),
		first: await withArchived(
			reader,
			closed,
			{ ...page, rows: first, limit: ROWS_AT_ONCE, isDescending: false },
			async (archive) =>
				(await archive.batch({ trips: selectTrips(archive.build, id, period, ROWS_AT_ONCE) }))
					.trips,
		),
		last: await withArchived(
			reader,
			closed,
			{ ...page, rows: last, limit: 1, isDescending: true },
			async (archive) =>
				(await archive.batch({ trips: selectTrips(archive.build, id, period, 1, undefined, true) }))
					.trips,
		),
	};
}

/**
 * The log of a driver, as an administrator has it; undefined when there is no such driver.
 * @param fleet the fleet's name
 */
export async function buildMileageLog(
	reader: ReaderContext,
	{ driverId, year }: MileageLogRequest,
	fleet: string,
): Promise<DriverReport | undefined> {
	const { db, today, timeZone } = reader;
	const period = yearPeriod(year, today);
	const { drivers, ...read } = await db.batch({
		drivers: findLogDriver(db.build, driverId),
		...logStatements(db, driverId, period),
	});
	const [driver] = drivers;
	if (!driver) return undefined;
	const subject = { ...driver, year, period };
	const code = codeForFileName(driver);
	const beginning = await withArchivedTrips(reader, subject, read);
	const trips = tripSection(fleet, timeZone, "Voided entries are omitted.", code, () =>
		tripPages(reader, subject, beginning),
	);
	return {
		document: {
			...logHeader(reader, fleet, subject, beginning),
			sections: [trips],
			signature: SIGNATURE,
		},
		code,
	};
}

/**
 * The log of the driver who asks, with voided trips listed separately.
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
	const code = codeForFileName(user);
	const read = await db.batch(logStatements(db, user.id, period));
	const beginning = await withArchivedTrips(driver, subject, read);
	const trips = tripSection(fleet, timeZone, "Voided entries are listed separately.", code, () =>
		tripPages(driver, subject, beginning),
	);
	const voided = voidedSection(timeZone, code, () => voidedPages(driver, subject));
	const { facts, ...header } = logHeader(driver, fleet, subject, beginning);
	return {
		document: {
			...header,
			facts: [...facts, TAX_ADVICE_FACT],
			sections: [trips, voided],
			signature: SIGNATURE,
		},
		code,
	};
}

function logHeader(
	reader: AuthenticatedContext,
	fleet: string,
	{ year, period, ...driver }: Subject,
	{ totals, first, last, personal }: Beginning,
): Omit<ReportDocument, "sections"> {
	const { trips, miles } = totals[0] ?? ZERO_TOTALS;
	return reportHeader(reportMeta(reader, fleet), `Mileage Log ${year}`, [
		...driverYearFacts(driver, year, period),
		["Trips", formatCount(trips)],
		[inUnits("Miles"), formatMiles(miles)],
		...businessFacts(miles, sumPersonal(personal)),
		["First reading", readingWords(first[0], "startMiles")],
		["Last reading", readingWords(last[0], "endMiles")],
	]);
}

/** @param first the first page, already read */
const tripPages = (reader: AuthenticatedContext, { id, period }: Subject, { first }: Beginning) =>
	pagesOf<Trip>(
		pageReader(reader, period, (build, after) =>
			selectTrips(build, id, period, ROWS_AT_ONCE, after),
		),
		first,
	);

const voidedPages = (reader: AuthenticatedContext, { id, period }: Subject) =>
	pagesOf<VoidedTrip>(
		pageReader(reader, period, (build, after) =>
			selectVoidedTrips(build, id, period, ROWS_AT_ONCE, after),
		),
	);

/** Reads a page of both databases. */
const pageReader =
	<Each extends LogCursor>(
		reader: AuthenticatedContext,
		{ from }: Period,
		select: (build: Builder, after: Each | undefined) => Statement & Promise<Each[]>,
	) =>
	async (after: Each | undefined): Promise<readonly Each[]> => {
		const { db } = reader;
		const { rows, closed } = await db.batch({
			rows: select(db.build, after),
			// Asked again: the year may have been closed since the last page.
			closed: selectClosedUntil(db.build),
		});
		const page = {
			rows,
			limit: ROWS_AT_ONCE,
			from: after?.drivenOn ?? from,
			isDescending: false,
			placeOf: (trip: Each) => trip,
		};
		return withArchived(
			reader,
			closed,
			page,
			async (archive) => (await archive.batch({ rows: select(archive.build, after) })).rows,
		);
	};

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
