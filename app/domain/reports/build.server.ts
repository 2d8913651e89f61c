/** Makes reports: reads what they need in one trip, and leaves what may be long to be read while the file is written. */
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { Period } from "../../values/period.ts";
import { dateOfDay } from "../analytics/blocks.ts";
import { type DriverTotals, FLEET, totalsByDay, totalsByDriver, totalsOf } from "../analytics/queries.server.ts";
import { NOTHING, type Totals } from "../analytics/rules.ts";
import type { AdminContext } from "../context.ts";
import type { ReportDocument, Row } from "./document.ts";
import { driverSections } from "./drivers.ts";
import { expenseSections, MOST_ITEMS } from "./expenses.ts";
import { driverCells, FORMER, figuresOf, frameOf, occasionOf, periodFacts } from "./figures.ts";
import type { ReportRequest } from "./input.ts";
import { type DayTotals, dayTotalsOf, formerTotalsByDay, largestFees, largestRequests } from "./queries.server.ts";
import { daysIn, periodBefore, ROWS_AT_ONCE, TYPE_LABELS } from "./rules.ts";
import { monthlySections, weeklySections } from "./summary.ts";

/**
 * The report that is asked for.
 * @param fleet what the fleet is called
 */
export async function buildReport(admin: AdminContext, { type, period }: ReportRequest, fleet: string): Promise<ReportDocument> {
	const before = periodBefore(period, type);
	const frame = frameOf(occasionOf(admin, fleet), TYPE_LABELS[type], periodFacts(period, type === "driver" ? undefined : before));
	switch (type) {
		case "weekly":
			return { ...frame, sections: weeklySections(await summaryFigures(admin, period, before)) };
		case "monthly":
			return { ...frame, sections: monthlySections(await summaryFigures(admin, period, before)) };
		case "driver": {
			const { totals, drivers } = await admin.db.batch({
				totals: totalsOf(admin.db.build, FLEET, period),
				drivers: totalsByDriver(admin.db.build, period),
			});
			// Who is at work is what a reader looks for; the query has the others first.
			const inOrder = [...drivers].sort((a, b) => Number(b.isActive) - Number(a.isActive));
			return { ...frame, sections: driverSections(totals[0] ?? NOTHING, inOrder, () => driverDays(admin, inOrder, period)) };
		}
		case "expense":
			return { ...frame, sections: expenseSections(await expenseFigures(admin, period, before)) };
	}
}

async function summaryFigures({ db }: AdminContext, period: Period, before: Period) {
	const found = await db.batch({
		totals: totalsOf(db.build, FLEET, period),
		earlier: totalsOf(db.build, FLEET, before),
		days: totalsByDay(db.build, FLEET, period),
		drivers: totalsByDriver(db.build, period),
		earlierDrivers: totalsByDriver(db.build, before),
	});
	const active = (drivers: readonly DriverTotals[]) => drivers.filter(({ trips }) => trips > 0).length;
	return {
		period,
		totals: found.totals[0] ?? NOTHING,
		earlier: found.earlier[0] ?? NOTHING,
		activeDrivers: active(found.drivers),
		earlierDrivers: active(found.earlierDrivers),
		days: new Map<CalendarDate, Totals>(found.days.map(({ day, ...totals }) => [dateOfDay(day), totals])),
	};
}

async function expenseFigures({ db, timeZone }: AdminContext, period: Period, before: Period) {
	const found = await db.batch({
		totals: totalsOf(db.build, FLEET, period),
		earlier: totalsOf(db.build, FLEET, before),
		drivers: totalsByDriver(db.build, period),
		requests: largestRequests(db.build, period, timeZone, MOST_ITEMS),
		fees: largestFees(db.build, period, MOST_ITEMS),
	});
	return { ...found, totals: found.totals[0] ?? NOTHING, earlier: found.earlier[0] ?? NOTHING };
}

/**
 * Lines of drivers and dates, driver by driver as they stand in the list, so many drivers at once that a page is full; last come the dates
 * of people who are no longer drivers.
 */
async function* driverDays({ db }: AdminContext, drivers: readonly DriverTotals[], period: Period): AsyncGenerator<readonly Row[]> {
	const active = drivers.filter(hasFigures);
	const atOnce = Math.max(1, Math.floor(ROWS_AT_ONCE / daysIn(period)));
	for (let first = 0; first < active.length; first += atOnce) {
		const some = active.slice(first, first + atOnce);
		const { days } = await db.batch({
			days: dayTotalsOf(
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
				byDriver.get(driver.id)?.push([...driverCells(driver), dateOfDay(day.firstDay), ...figuresOf(totals)]);
		}
		yield [...byDriver.values()].flat();
	}
	const { former } = await db.batch({ former: formerTotalsByDay(db.build, period) });
	yield former.filter(hasFigures).map(({ day, ...totals }) => [...FORMER, dateOfDay(day), ...figuresOf(totals)]);
}

/** True when anything would stand in the line; a request that waits for its decision counts for nothing yet. */
const hasFigures = (totals: Totals) => figuresOf(totals).some((figure) => figure !== 0);

function totalsFrom({ gasCents, driverId: _, firstDay: __, ...day }: DayTotals): Totals {
	return { ...NOTHING, ...day, fuelCents: gasCents };
}
