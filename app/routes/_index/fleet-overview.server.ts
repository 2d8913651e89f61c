/**
 * What the Fleet Overview shows: the current state of the fleet, its last weeks of spend, and this
 * week's drivers (docs/product.md §2, §9).
 */
import type { RequestContext } from "../../auth/request-context.ts";
import type { Results } from "../../db/client.server.ts";
import { prepareSet } from "../../db/prepared.server.ts";
import { dateFromDayNumber } from "../../domain/analytics/blocks.ts";
import { type Performance, rankByCost, sortByMileage } from "../../domain/analytics/insights.ts";
import {
	FLEET,
	remainingTotals,
	selectFirstDay,
	selectTotals,
	selectTotalsByDay,
	selectTotalsPage,
} from "../../domain/analytics/queries.server.ts";
import {
	buildAlerts,
	costPerMile,
	efficiencyLabel,
	feeCents,
	spendShares,
	TOP_DRIVERS,
	type Totals,
	ZERO_TOTALS,
} from "../../domain/analytics/rules.ts";
import { windowPeriod } from "../../domain/analytics/standing-windows.ts";
import {
	type FiguresContext,
	hasNoSet,
	listMostEfficient,
	listOverTarget,
	listStandings,
	logMissingSet,
	selectSet,
} from "../../domain/analytics/standings.server.ts";
import { averageWeeks, groupByWeek, weeksPeriod } from "../../domain/analytics/weeks.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { selectPayoutTotals } from "../../domain/payouts/queries.server.ts";
import { unpaidOf } from "../../domain/payouts/rules.ts";
import { countApplications, countDrivers } from "../../domain/people/queries.server.ts";
import { displayName, formatInitials, shownDriverCode } from "../../domain/people/rules.ts";
import { selectSettings } from "../../domain/settings/queries.server.ts";
import { countQuestions } from "../../domain/settlements/questions.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { firstStepsFrom } from "./first-steps.server.ts";

/** How many drivers with the lowest cost per mile the chart has, and how many over the target. */
const COST_BARS = 5;

export const overviewStatements = prepareSet((build, today: CalendarDate) => ({
	chosen: selectSettings(),
	set: selectSet(build, today),
	drivers: countDrivers(build, hasNoSet(today)),
	applications: countApplications({}),
	ever: selectTotals(FLEET),
	first: selectFirstDay(build),
	payoutTotals: selectPayoutTotals(build),
	questions: countQuestions(build),
	days: selectTotalsByDay(build, FLEET, weeksPeriod(today)),
	ranked: listStandings(build, "week", today, TOP_DRIVERS),
	totals: selectTotalsPage(build, windowPeriod("week", today), { onlyIf: hasNoSet(today) }),
	lowest: listMostEfficient(build, "month", today, COST_BARS),
	over: listOverTarget(build, "month", today, COST_BARS),
	monthTotals: selectTotalsPage(build, windowPeriod("month", today), {
		onlyIf: hasNoSet(today),
	}),
}));

type Found = Results<ReturnType<typeof overviewStatements>>;

/** The week's top drivers by miles: from the standings, or added up without them. */
async function topOf(admin: FiguresContext, { set, ranked, totals }: Found) {
	const { db, today } = admin;
	if (!set[0]) logMissingSet(admin);
	const drivers = set[0]
		? ranked
		: sortByMileage(await remainingTotals(db, totals, windowPeriod("week", today)));
	return drivers.filter(({ miles }) => miles > 0).slice(0, TOP_DRIVERS);
}

/**
 * The drivers with the lowest and highest costs in the last month: from the standings, or added up.
 */
async function costsOf(admin: FiguresContext, { set, lowest, over, monthTotals }: Found) {
	const period = windowPeriod("month", admin.today);
	const ranked = set[0]
		? { lowest, over }
		: rankByCost(
				sortByMileage(await remainingTotals(admin.db, monthTotals, period)),
				COST_BARS,
				admin.settings,
			);
	const toBars = (drivers: readonly Performance[]) =>
		drivers.map((driver) => ({
			id: driver.id,
			name: displayName({ ...driver, email: null }),
			miles: driver.miles,
			fuelCents: driver.fuelCents,
			costCents: costPerMile(driver),
		}));
	return { period, lowest: toBars(ranked.lowest), over: toBars(ranked.over) };
}

/** What was approved of each type in a period. */
function typesOf(days: Found["days"]) {
	const sum = (of: (totals: Totals) => number) => days.reduce((so, day) => so + of(day), 0);
	return [
		{
			type: "gas",
			cents: sum(({ fuelCents }) => fuelCents),
			requests: sum(({ fuelRequests }) => fuelRequests),
		},
		{
			type: "maintenance",
			cents: sum(({ maintenanceCents }) => maintenanceCents),
			requests: sum(({ maintenanceRequests }) => maintenanceRequests),
		},
		{
			type: "other",
			cents: sum(({ otherCents }) => otherCents),
			requests: sum(({ otherRequests }) => otherRequests),
		},
	] as const;
}

export async function overviewFrom(answers: Found, admin: FiguresContext) {
	const { today, settings } = admin;
	const { set, drivers, applications, ever, payoutTotals, days } = answers;
	const top = await topOf(admin, answers);
	const allTime = ever[0] ?? ZERO_TOTALS;
	const [first] = answers.first;
	const weeks = groupByWeek(days, today);
	const [before, week] = weeks.slice(-2);
	if (!before || !week) throw new Error("there are at least two weeks");
	const spentCents = week.fuelCents + week.feeCents;
	const shares = spendShares(week.fuelCents, week.feeCents);
	return {
		/** All-time totals. */
		ever: allTime,
		drivers: set[0]?.active ?? drivers[0]?.count ?? 0,
		applications: applications[0]?.count ?? 0,
		pendingRequests: allTime.pendingRequests,
		/** Approved but not paid yet, and the part in open payouts. */
		unpaid: unpaidOf(payoutTotals[0]),
		/** Settled weeks whose drivers wait for an answer. */
		questions: answers.questions[0]?.count ?? 0,
		feeCents: feeCents(allTime),
		miles: allTime.miles,
		alerts: buildAlerts(allTime.pendingRequests, feeCents(allTime), settings),
		/** The thresholds for the figures. */
		thresholds: {
			pendingAlertOver: settings.pendingAlertOver,
			feeAlertOverCents: settings.feeAlertOverCents,
			goodUnderCents: settings.goodUnderCents,
			targetCents: settings.targetCents,
		},
		/**
		 * The last 7 days: the spending by type, in whole percent, and the change from the 7 days
		 * before.
		 */
		week: {
			...week,
			shares,
			spentCents,
			moreCents: spentCents - before.fuelCents - before.feeCents,
		},
		before: { from: before.from, to: before.to },
		/** The last 12 weeks, including this one, oldest first; fewer if the fleet is younger. */
		weeks: weeks.slice(-averageWeeks(first && dateFromDayNumber(first.day), today)),
		/** Approved requests of those weeks. */
		types: typesOf(days),
		costs: await costsOf(admin, answers),
		top: top.map((driver) => ({
			id: driver.id,
			initials: formatInitials(driver),
			name: displayName({ ...driver, email: null }),
			code: shownDriverCode(driver.driverNumber),
			miles: driver.miles,
			costCents: costPerMile(driver),
			label: efficiencyLabel(driver, settings),
		})),
	};
}

export type Overview = Awaited<ReturnType<typeof overviewFrom>>;

/** What the overview shows, with the first steps of a fleet to the administrator who takes them. */
export async function overviewView(
	reader: ReaderContext,
	answers: Found,
	settings: RequestContext["settings"],
) {
	const overview = await overviewFrom(answers, reader);
	const firstSteps =
		reader.role === "admin"
			? await firstStepsFrom({
					admin: reader,
					settings,
					chosen: answers.chosen,
					people: overview.drivers + overview.applications,
					ever: overview.ever,
				})
			: undefined;
	return { overview, firstSteps };
}
