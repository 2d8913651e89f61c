/**
 * What the Fleet Overview shows: the state of the fleet now, its last weeks of spend, and this
 * week's drivers (docs/product.md §2, §9).
 */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { StatementResult } from "../../db/client.server.ts";
import {
	FLEET,
	selectTopByMiles,
	selectTotals,
	selectTotalsByDay,
} from "../../domain/analytics/queries.server.ts";
import {
	buildAlerts,
	costPerMile,
	efficiencyLabel,
	feeCents,
	spendShares,
	TOP_DRIVERS,
	WEEK_DAYS,
	ZERO_TOTALS,
} from "../../domain/analytics/rules.ts";
import { groupByWeek, weeksPeriod } from "../../domain/analytics/weeks.ts";
import type { AdminContext } from "../../domain/context.ts";
import { countApplications, countDrivers } from "../../domain/drivers/queries.server.ts";
import { selectStanding } from "../../domain/payouts/queries.server.ts";
import { displayName, formatDriverCode, formatInitials } from "../../domain/users/rules.ts";
import { lastDays } from "../../values/period.ts";

export function overviewStatements({ build, today }: Pick<QueryContext, "build" | "today">) {
	return {
		drivers: countDrivers(build),
		applications: countApplications(build),
		ever: selectTotals(build, FLEET),
		standing: selectStanding(build),
		days: selectTotalsByDay(build, FLEET, weeksPeriod(today)),
		top: selectTopByMiles(build, lastDays(today, WEEK_DAYS), TOP_DRIVERS),
	};
}

type Statements = ReturnType<typeof overviewStatements>;
type Answers = { readonly [Name in keyof Statements]: StatementResult<Statements[Name]> };

export function overviewFrom(
	{ drivers, applications, ever, standing, days, top }: Answers,
	{ today }: Pick<AdminContext, "today">,
) {
	const allTime = ever[0] ?? ZERO_TOTALS;
	const { readyCents = 0, readyRequests = 0, openCents = 0, openRequests = 0 } = standing[0] ?? {};
	const weeks = groupByWeek(days, today);
	const [before, week] = weeks.slice(-2);
	if (!before || !week) throw new Error("there are at least two weeks");
	const spentCents = week.fuelCents + week.feeCents;
	const shares = spendShares(week.fuelCents, week.feeCents);
	return {
		drivers: drivers[0]?.count ?? 0,
		applications: applications[0]?.count ?? 0,
		pendingRequests: allTime.pendingRequests,
		/** Approved and not paid yet, and what of it is in open payouts. */
		unpaid: {
			cents: readyCents + openCents,
			requests: readyRequests + openRequests,
			openCents,
		},
		feeCents: feeCents(allTime),
		miles: allTime.miles,
		alerts: buildAlerts(allTime.pendingRequests, feeCents(allTime)),
		/**
		 * The last 7 days: what was spent, on what, in whole percent of both, and how much more than in
		 * the 7 days before them.
		 */
		week: {
			...week,
			shares,
			spentCents,
			moreCents: spentCents - before.fuelCents - before.feeCents,
		},
		before: { from: before.from, to: before.to },
		/** The last 12 weeks, this one included, the oldest first. */
		weeks,
		top: top.map((driver) => ({
			id: driver.id,
			initials: formatInitials(driver),
			name: displayName({ ...driver, email: null }),
			code: formatDriverCode(driver.driverNumber),
			miles: driver.miles,
			costCents: costPerMile(driver),
			label: efficiencyLabel(driver),
		})),
	};
}

export type Overview = ReturnType<typeof overviewFrom>;
