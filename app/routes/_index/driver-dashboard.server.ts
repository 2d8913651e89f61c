/**
 * What the driver's dashboard shows: its figures over the windows of docs/product.md §9, and recent
 * activity.
 */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Results } from "../../db/client.server.ts";
import { selectTotals } from "../../domain/analytics/queries.server.ts";
import { MONTH_DAYS, requestCents, WEEK_DAYS, ZERO_TOTALS } from "../../domain/analytics/rules.ts";
import { listLogsBack, listRequestsBack } from "../../domain/history/queries.server.ts";
import { mergeHistory } from "../../domain/history/rules.ts";
import type { DriverContext } from "../../domain/kernel/context.ts";
import { selectUnloggedDays } from "../../domain/mileage/beside.server.ts";
import { selectLastEnding } from "../../domain/mileage/queries.server.ts";
import { selectLastPaid, selectPayoutTotals } from "../../domain/payouts/queries.server.ts";
import { unpaidOf } from "../../domain/payouts/rules.ts";
import { selectLastWeek } from "../../domain/settlements/own-list.server.ts";
import { EARNINGS } from "../../domain/settlements/search.ts";
import { describeWeek } from "../../domain/statements/settlement-week.ts";
import {
	type CalendarDate,
	formatDay,
	formatRecentDay,
	formatWeekday,
} from "../../values/calendar-date.ts";
import { centsPerMile, formatDollars } from "../../values/money.ts";
import { lastDays } from "../../values/period.ts";

/** Lines of Recent Activity: the newest requests and the newest trips (docs/product.md §9). */
const RECENT_REQUESTS = 3;
const RECENT_LOGS = 2;

const windowsOf = (today: CalendarDate) => ({
	week: lastDays(today, WEEK_DAYS),
	month: lastDays(today, MONTH_DAYS),
});

export function dashboardStatements({ build, me, today }: QueryContext) {
	const { week, month } = windowsOf(today);
	return {
		week: selectTotals(me, week),
		month: selectTotals(me, month),
		ever: selectTotals(me),
		requests: listRequestsBack(build, me, RECENT_REQUESTS),
		logs: listLogsBack(build, me, RECENT_LOGS),
		last: selectLastEnding(me),
		unlogged: selectUnloggedDays(build, me, today),
		payments: selectPayoutTotals(build, me),
		lastPaid: selectLastPaid(build, me),
		lastWeek: selectLastWeek(build, me),
	};
}

type Found = Results<ReturnType<typeof dashboardStatements>>;

export function dashboardFrom(
	{ week, month, ever, requests, logs, last, unlogged, payments, lastPaid, lastWeek }: Found,
	{ today, timeZone }: DriverContext,
) {
	const weekMiles = week[0]?.miles ?? 0;
	const monthCents = requestCents(month[0] ?? ZERO_TOTALS);
	return {
		...windowsOf(today),
		weekMiles,
		pending: ever[0]?.pendingRequests ?? 0,
		monthCents,
		/**
		 * The month's dollars over the week's miles, which is intended (docs/product.md, 'Numbers,
		 * money and dates').
		 */
		averageCents: centsPerMile(monthCents, weekMiles),
		unlogged: unlogged.map(({ day }) => ({
			day,
			words: `${formatWeekday(day).slice(0, 3)} ${formatDay(day)}`,
		})),
		/** What is to be paid, and what was paid last, with its statement. */
		payments: [
			...payments.map(unpaidOf).map(({ cents, requests, settlements }) => ({
				words: `To be paid ${formatDollars(cents)} (${requests + settlements})`,
				href: "/requests#recent",
			})),
			...lastPaid.map(({ cents, paidOn, payoutId }) => ({
				words: `Paid ${formatDollars(cents)} on ${formatRecentDay(paidOn, today)}`,
				href: payoutId ? `/history/payouts/${payoutId}.pdf` : "/history",
			})),
		],
		/** The last settled week. */
		lastWeek: lastWeek.map(({ id, weekFrom, resultCents }) => ({
			words: `Week ${describeWeek(weekFrom, today)}: ${formatDollars(resultCents ?? 0)}`,
			href: `${EARNINGS}/${id}`,
		}))[0],
		/** Where the latest trip ended. */
		lastEnding: last[0],
		recent: mergeHistory(requests, logs, timeZone, RECENT_REQUESTS + RECENT_LOGS),
	};
}

export type Dashboard = ReturnType<typeof dashboardFrom>;
