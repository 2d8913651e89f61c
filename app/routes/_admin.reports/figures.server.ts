/**
 * The figures of Reports & Analytics beside its forms, each with the dates it covers
 * (docs/product.md §2, 'Numbers, money and dates').
 */
import type { Results } from "../../db/client.server.ts";
import { prepareSet } from "../../db/prepared.server.ts";
import { dateFromDayNumber } from "../../domain/analytics/blocks.ts";
import {
	FLEET,
	remainingTotals,
	selectFirstDay,
	selectTotals,
	selectTotalsPage,
} from "../../domain/analytics/queries.server.ts";
import {
	AVERAGE_WEEKS,
	costPerMile,
	feeCents,
	formatRatio,
	MONTH_DAYS,
	spendShares,
	WEEK_DAYS,
	ZERO_TOTALS,
} from "../../domain/analytics/rules.ts";
import {
	type FiguresContext,
	hasNoSet,
	logMissingSet,
	selectSet,
} from "../../domain/analytics/standings.server.ts";
import { averageWeeks } from "../../domain/analytics/weeks.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { formatCount, pluralize } from "../../values/count.ts";
import { formatMiles } from "../../values/miles.ts";
import { formatDollars } from "../../values/money.ts";
import { formatPeriod, lastDays, type Period } from "../../values/period.ts";

const windowsOf = (today: CalendarDate) => ({
	week: lastDays(today, WEEK_DAYS),
	month: lastDays(today, MONTH_DAYS),
	weeks: lastDays(today, AVERAGE_WEEKS * WEEK_DAYS),
});

export const figureStatements = prepareSet((build, today: CalendarDate) => {
	const { week, month, weeks } = windowsOf(today);
	return {
		first: selectFirstDay(build),
		week: selectTotals(FLEET, week),
		weeks: selectTotals(FLEET, weeks),
		month: selectTotals(FLEET, month),
		set: selectSet(build, today),
		drivers: selectTotalsPage(build, month, { onlyIf: hasNoSet(today) }),
	};
});

type Found = Results<ReturnType<typeof figureStatements>>;

/** How many drivers have driven in the month. */
async function countDriving(admin: FiguresContext, { set, drivers }: Found, month: Period) {
	if (set[0]) return set[0].thirtyDriving;
	logMissingSet(admin);
	return (await remainingTotals(admin.db, drivers, month)).filter(({ trips }) => trips > 0).length;
}

export async function figuresFrom(found: Found, admin: FiguresContext) {
	const { today } = admin;
	const { month, week } = windowsOf(today);
	const driving = await countDriving(admin, found, month);
	const [spent = ZERO_TOTALS] = found.week;
	const [driven = ZERO_TOTALS] = found.month;
	const [long = ZERO_TOTALS] = found.weeks;
	const fees = feeCents(spent);
	const weekly = long.fuelCents + feeCents(long);
	const perMile = costPerMile(driven);
	const first = found.first[0];
	const averaged = averageWeeks(first && dateFromDayNumber(first.day), today);
	return {
		windows: {
			week: formatPeriod(week),
			month: formatPeriod(month),
			weeks: `${pluralize(averaged, "week")}, ${formatPeriod(lastDays(today, averaged * WEEK_DAYS))}`,
		},
		fuel: formatDollars(spent.fuelCents),
		fees: formatDollars(fees),
		spend: formatDollars(spent.fuelCents + fees),
		shares: spendShares(spent.fuelCents, fees),
		miles: formatMiles(driven.miles),
		activeDrivers: formatCount(driving),
		// Rounded half up, once.
		averageSpend: formatDollars(Math.floor((2 * weekly + averaged) / (2 * averaged))),
		perMile: formatDollars(perMile),
		isAboveTarget: perMile > admin.settings.aboveTargetOverCents,
		aboveTargetOver: formatDollars(admin.settings.aboveTargetOverCents),
		targetRatio: formatRatio(admin.settings),
	};
}
