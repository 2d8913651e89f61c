/** The figures of Reports & Analytics beside its forms, each with the dates it covers (docs/product.md §2, 'Numbers, money and dates'). */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Answer } from "../../db/client.server.ts";
import { FLEET, totalsByDriver, totalsOf } from "../../domain/analytics/queries.server.ts";
import {
	AVERAGE_WEEKS,
	costPerMile,
	feeCents,
	GOOD_UNDER,
	MONTH_DAYS,
	NOTHING,
	sharesOf,
	WEEK_DAYS,
} from "../../domain/analytics/rules.ts";
import type { AdminContext } from "../../domain/context.ts";
import { periodWords } from "../../domain/reports/rules.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { showMiles } from "../../values/miles.ts";
import { dollars } from "../../values/money.ts";
import { lastDays } from "../../values/period.ts";

const windowsOf = (today: CalendarDate) => ({
	week: lastDays(today, WEEK_DAYS),
	month: lastDays(today, MONTH_DAYS),
	weeks: lastDays(today, AVERAGE_WEEKS * WEEK_DAYS),
});

export function figureStatements({ build, today }: Pick<QueryContext, "build" | "today">) {
	const { week, month, weeks } = windowsOf(today);
	return {
		week: totalsOf(build, FLEET, week),
		weeks: totalsOf(build, FLEET, weeks),
		month: totalsOf(build, FLEET, month),
		drivers: totalsByDriver(build, month),
	};
}

type Statements = ReturnType<typeof figureStatements>;
type Answers = { readonly [Name in keyof Statements]: Answer<Statements[Name]> };

export function figuresFrom(found: Answers, { today }: Pick<AdminContext, "today">) {
	const { week, month, weeks } = windowsOf(today);
	const [spent = NOTHING] = found.week;
	const [driven = NOTHING] = found.month;
	const [long = NOTHING] = found.weeks;
	const fees = feeCents(spent);
	const weekly = long.fuelCents + feeCents(long);
	const perMile = costPerMile(driven);
	return {
		windows: { week: periodWords(week), month: periodWords(month), weeks: periodWords(weeks) },
		fuel: dollars(spent.fuelCents),
		fees: dollars(fees),
		spend: dollars(spent.fuelCents + fees),
		shares: sharesOf(spent.fuelCents, fees),
		miles: showMiles(driven.miles),
		activeDrivers: showMiles(found.drivers.filter(({ trips }) => trips > 0).length),
		// Rounded half up, once.
		averageSpend: dollars(Math.floor((2 * weekly + AVERAGE_WEEKS) / (2 * AVERAGE_WEEKS))),
		perMile: dollars(perMile),
		isAboveTarget: perMile > GOOD_UNDER,
	};
}
