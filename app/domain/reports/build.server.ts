/**
 * Builds reports: reads what they need in one trip, and leaves long parts to be read while the file
 * is written.
 */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";
import { dateFromDayNumber } from "../analytics/blocks.ts";
import {
	type DriverTotals,
	FLEET,
	selectTotals,
	selectTotalsByDay,
	selectTotalsByDriver,
} from "../analytics/queries.server.ts";
import { feeCount, type Totals, ZERO_TOTALS } from "../analytics/rules.ts";
import type { ReaderContext } from "../kernel/context.ts";
import type { ReportDocument, Row } from "./document.ts";
import { driverSections } from "./drivers.ts";
import { expenseSections, MAX_ITEMS } from "./expenses.ts";
import {
	driverCells,
	FORMER_DRIVERS,
	periodFacts,
	reportHeader,
	reportMeta,
	toFigures,
} from "./figures.ts";
import type { ReportRequest } from "./input.ts";
import {
	type DayTotals,
	formerTotalsByDay,
	largestFees,
	largestRequests,
	selectDayTotals,
} from "./queries.server.ts";
import { countDays, previousPeriod, ROWS_AT_ONCE, TYPE_LABELS } from "./rules.ts";
import { monthlySections, weeklySections } from "./summary.ts";

/**
 * The requested report.
 * @param fleet the fleet's name
 */
export async function buildReport(
	reader: ReaderContext,
	{ type, period }: ReportRequest,
	fleet: string,
): Promise<ReportDocument> {
	const before = previousPeriod(period, type);
	const frame = reportHeader(
		reportMeta(reader, fleet),
		TYPE_LABELS[type],
		periodFacts(period, type === "driver" ? undefined : before),
	);
	switch (type) {
		case "weekly":
			return { ...frame, sections: weeklySections(await summaryFigures(reader, period, before)) };
		case "monthly":
			return { ...frame, sections: monthlySections(await summaryFigures(reader, period, before)) };
		case "driver": {
			const { totals, drivers } = await reader.db.batch({
				totals: selectTotals(FLEET, period),
				drivers: selectTotalsByDriver(reader.db.build, period),
			});
			// Readers look for active drivers, but the query puts them last.
			const inOrder = [...drivers].sort((a, b) => Number(b.isActive) - Number(a.isActive));
			return {
				...frame,
				sections: driverSections(totals[0] ?? ZERO_TOTALS, inOrder, reader.settings, () =>
					driverDays(reader, inOrder, period),
				),
			};
		}
		case "expense":
			return {
				...frame,
				sections: expenseSections(await expenseFigures(reader, period, before), reader.settings),
			};
	}
}

async function summaryFigures({ db }: ReaderContext, period: Period, before: Period) {
	const found = await db.batch({
		totals: selectTotals(FLEET, period),
		earlier: selectTotals(FLEET, before),
		days: selectTotalsByDay(db.build, FLEET, period),
		drivers: selectTotalsByDriver(db.build, period),
		earlierDrivers: selectTotalsByDriver(db.build, before),
	});
	const active = (drivers: readonly DriverTotals[]) =>
		drivers.filter(({ trips }) => trips > 0).length;
	return {
		period,
		totals: found.totals[0] ?? ZERO_TOTALS,
		earlier: found.earlier[0] ?? ZERO_TOTALS,
		activeDrivers: active(found.drivers),
		earlierDrivers: active(found.earlierDrivers),
		days: new Map<CalendarDate, Totals>(
			found.days.map(({ day, ...totals }) => [dateFromDayNumber(day), totals]),
		),
	};
}

async function expenseFigures({ db, timeZone }: ReaderContext, period: Period, before: Period) {
	const found = await db.batch({
		totals: selectTotals(FLEET, period),
		earlier: selectTotals(FLEET, before),
		drivers: selectTotalsByDriver(db.build, period),
		requests: largestRequests(db.build, period, timeZone, MAX_ITEMS),
		fees: largestFees(db.build, period, MAX_ITEMS),
	});
	return {
		...found,
		totals: found.totals[0] ?? ZERO_TOTALS,
		earlier: found.earlier[0] ?? ZERO_TOTALS,
	};
}

/**
 * Lines of drivers and dates, in the order of the list, for as many drivers at once as fill a page;
 * last come the dates of former drivers.
 */
async function* driverDays(
	{ db }: ReaderContext,
	drivers: readonly DriverTotals[],
	period: Period,
): AsyncGenerator<readonly Row[]> {
	// Fees and credits of several days may add up to nothing.
	const active = drivers.filter((each) => hasFigures(each) || feeCount(each) > 0);
	const atOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / countDays(period)));
	for (let first = 0; first < active.length; first += atOnce) {
		const some = active.slice(first, first + atOnce);
		const { days } = await db.batch({
			days: selectDayTotals(
				db.build,
				some.map(({ id }) => id),
				period,
			),
		});
		const people = new Map(some.map((each) => [each.id, each]));
		const byDriver = new Map<string, Row[]>(some.map(({ id }) => [id, []]));
		for (const day of days) {
			const driver = people.get(day.driverId);
			const totals = totalsFrom(day);
			if (driver && hasFigures(totals))
				byDriver
					.get(driver.id)
					?.push([...driverCells(driver), dateFromDayNumber(day.firstDay), ...toFigures(totals)]);
		}
		yield [...byDriver.values()].flat();
	}
	const { former } = await db.batch({ former: formerTotalsByDay(db.build, period) });
	yield former
		.filter(hasFigures)
		.map(({ day, ...totals }) => [...FORMER_DRIVERS, dateFromDayNumber(day), ...toFigures(totals)]);
}

/** Whether the line would have any figures; pending requests don't count yet. */
const hasFigures = (totals: Totals) => toFigures(totals).some((figure) => figure !== 0);

function totalsFrom({ gasCents, driverId: _, firstDay: __, ...day }: DayTotals): Totals {
	return { ...ZERO_TOTALS, ...day, fuelCents: gasCents };
}
