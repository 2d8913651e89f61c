/** What the Fleet Overview shows: the state of the fleet now, its last weeks of spend, and this week's drivers (docs/product.md §2, §9). */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Answer } from "../../db/client.server.ts";
import { FLEET, topByMiles, totalsByDay, totalsOf } from "../../domain/analytics/queries.server.ts";
import { alertsOf, costPerMile, feeCents, labelOf, NOTHING, sharesOf, TOP_DRIVERS, WEEK_DAYS } from "../../domain/analytics/rules.ts";
import { datesOfWeeks, weeksOf } from "../../domain/analytics/weeks.ts";
import type { AdminContext } from "../../domain/context.ts";
import { applicationCount, driverCount } from "../../domain/drivers/queries.server.ts";
import { driverCode, initialsOf, nameOf } from "../../domain/users/rules.ts";
import { lastDays } from "../../values/period.ts";

export function overviewStatements({ build, today }: Pick<QueryContext, "build" | "today">) {
	return {
		drivers: driverCount(build),
		applications: applicationCount(build),
		ever: totalsOf(build, FLEET),
		days: totalsByDay(build, FLEET, datesOfWeeks(today)),
		top: topByMiles(build, lastDays(today, WEEK_DAYS), TOP_DRIVERS),
	};
}

type Statements = ReturnType<typeof overviewStatements>;
type Answers = { readonly [Name in keyof Statements]: Answer<Statements[Name]> };

export function overviewFrom({ drivers, applications, ever, days, top }: Answers, { today }: Pick<AdminContext, "today">) {
	const allTime = ever[0] ?? NOTHING;
	const weeks = weeksOf(days, today);
	const [before, week] = weeks.slice(-2);
	if (!before || !week) throw new Error("there are at least two weeks");
	const spentCents = week.fuelCents + week.feeCents;
	const shares = sharesOf(week.fuelCents, week.feeCents);
	return {
		drivers: drivers[0]?.count ?? 0,
		applications: applications[0]?.count ?? 0,
		pendingRequests: allTime.pendingRequests,
		feeCents: feeCents(allTime),
		miles: allTime.miles,
		alerts: alertsOf(allTime.pendingRequests, feeCents(allTime)),
		/** The last 7 days: what was spent, on what, in whole percent of both, and how much more than in the 7 days before them. */
		week: { ...week, shares, spentCents, moreCents: spentCents - before.fuelCents - before.feeCents },
		before: { from: before.from, to: before.to },
		/** The last 12 weeks, this one included, the oldest first. */
		weeks,
		top: top.map((driver) => ({
			id: driver.id,
			initials: initialsOf(driver),
			name: nameOf({ ...driver, email: null }),
			code: driverCode(driver.driverNumber),
			miles: driver.miles,
			costCents: costPerMile(driver),
			label: labelOf(driver),
		})),
	};
}

export type Overview = ReturnType<typeof overviewFrom>;
