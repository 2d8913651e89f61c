/** Builds the summary of a driver's own year, in one trip to the database. */
import { dateFromDayNumber } from "../analytics/blocks.ts";
import { selectTotals, selectTotalsByDay } from "../analytics/queries.server.ts";
import { ZERO_TOTALS } from "../analytics/rules.ts";
import type { DriverContext } from "../kernel/context.ts";
import {
	codeForFileName,
	type DriverReport,
	driverYearFacts,
	reportHeader,
	reportMeta,
	TAX_ADVICE_FACT,
} from "./figures.ts";
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
	const { totals, days, requests, voided } = await db.batch({
		totals: selectTotals(user.id, period),
		days: selectTotalsByDay(db.build, user.id, period),
		requests: selectRequestSums(db.build, user.id, period, timeZone),
		voided: selectVoidedSums(db.build, user.id, period),
	});
	const { facts, ...header } = reportHeader(
		reportMeta(driver, fleet),
		`Year Summary ${year}`,
		driverYearFacts(user, year, period),
	);
	const sections = yearSections({
		period,
		totals: totals[0] ?? ZERO_TOTALS,
		days: new Map(days.map(({ day, ...each }) => [dateFromDayNumber(day), each])),
		requests,
		voided: voided[0] ?? { trips: 0, miles: 0 },
	});
	return {
		document: { ...header, facts: [...facts, TAX_ADVICE_FACT], sections },
		code: codeForFileName(user),
	};
}
