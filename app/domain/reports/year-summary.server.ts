/** Builds the summary of a driver's own year, in one trip to the database and one to the archive. */
import { dateFromDayNumber } from "../analytics/blocks.ts";
import { selectTotals, selectTotalsByDay } from "../analytics/queries.server.ts";
import { ZERO_TOTALS } from "../analytics/rules.ts";
import { selectClosedUntil } from "../archive/closed-years.server.ts";
import type { DriverContext } from "../kernel/context.ts";
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
import { selectPersonalTrips, withArchivedPersonalTrips } from "./queries.server.ts";
import { yearPeriod } from "./rules.ts";
import { selectRequestSums, selectVoidedSums } from "./year-queries.server.ts";
import { yearSections } from "./year-summary.ts";

/**
 * The summary of the driver who asks.
 * @param fleet the fleet's name
 */
export async function buildYearSummary(
	driver: DriverContext,
	year: number,
	fleet: string,
): Promise<DriverReport> {
	const { db, user, today, timeZone } = driver;
	const period = yearPeriod(year, today);
	const { totals, days, requests, voided, closed, trips } = await db.batch({
		totals: selectTotals(user.id, period),
		days: selectTotalsByDay(db.build, user.id, period),
		requests: selectRequestSums(db.build, user.id, period, timeZone),
		voided: selectVoidedSums(db.build, user.id, period),
		trips: selectPersonalTrips(db.build, user.id, period),
		closed: selectClosedUntil(db.build),
	});
	const personal = await withArchivedPersonalTrips(driver, closed, trips, user.id, period);
	const whole = totals[0] ?? ZERO_TOTALS;
	const { facts, ...header } = reportHeader(reportMeta(driver, fleet), `Year Summary ${year}`, [
		...driverYearFacts(user, year, period),
		...businessFacts(whole.miles, sumPersonal(personal)),
	]);
	const sections = yearSections({
		period,
		totals: whole,
		days: new Map(days.map(({ day, ...each }) => [dateFromDayNumber(day), each])),
		requests,
		personal,
		voided: voided[0] ?? { trips: 0, miles: 0 },
	});
	return {
		document: { ...header, facts: [...facts, TAX_ADVICE_FACT], sections },
		code: codeForFileName(user),
	};
}
