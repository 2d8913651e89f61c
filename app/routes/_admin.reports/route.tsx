/** Reports & Analytics (spec §2): reports to download, and the figures beside them. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
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
import { datesOfRanges, periodWords } from "../../domain/reports/rules.ts";
import { peopleToChoose } from "../../domain/users/choice.server.ts";
import { askedPerson, choiceFrom } from "../../domain/users/choice.ts";
import { Section } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { showMiles } from "../../values/miles.ts";
import { dollars } from "../../values/money.ts";
import { lastDays } from "../../values/period.ts";
import { refusedIn } from "./address.ts";
import { ExpenseBreakdown, PerformanceTrends, SummaryStatistics } from "./figures.tsx";
import { LogForm } from "./log-form.tsx";
import { QuickActions, ReportForm } from "./report-form.tsx";
import { typedLog, typedReport } from "./typed.server.ts";

export const handle = { title: "Reports & Analytics" };

export async function loader(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const query = new URL(args.request.url).searchParams;
	const person = askedPerson(refusedIn(query, "log") ? query : new URLSearchParams(), "driverId");
	const week = lastDays(today, WEEK_DAYS);
	const month = lastDays(today, MONTH_DAYS);
	const weeks = lastDays(today, AVERAGE_WEEKS * 7);
	const found = await asAdmin(args, ({ build }) => ({
		week: totalsOf(build, FLEET, week),
		weeks: totalsOf(build, FLEET, weeks),
		month: totalsOf(build, FLEET, month),
		drivers: totalsByDriver(build, month),
		people: peopleToChoose(build, "approvedDrivers", person),
	}));
	const [spent = NOTHING] = found.week;
	const [driven = NOTHING] = found.month;
	const [long = NOTHING] = found.weeks;
	const fees = feeCents(spent);
	const weekly = long.fuelCents + feeCents(long);
	const perMile = costPerMile(driven);
	const shares = sharesOf(spent.fuelCents, fees);
	return {
		viewer: viewerOf(found.admin),
		today,
		report: typedReport(query, today, settings.timeZone),
		ranges: datesOfRanges(today),
		log: typedLog(query, today, settings.timeZone),
		person: choiceFrom(found.people, person),
		windows: { week: periodWords(week), month: periodWords(month), weeks: periodWords(weeks) },
		fuel: dollars(spent.fuelCents),
		fees: dollars(fees),
		spend: dollars(spent.fuelCents + fees),
		shares,
		miles: showMiles(driven.miles),
		activeDrivers: showMiles(found.drivers.filter(({ trips }) => trips > 0).length),
		// Rounded half up, once.
		averageSpend: dollars(Math.floor((2 * weekly + AVERAGE_WEEKS) / (2 * AVERAGE_WEEKS))),
		perMile: dollars(perMile),
		isAboveTarget: perMile > GOOD_UNDER,
	};
}

export type ReportsData = Awaited<ReturnType<typeof loader>>;

export default function Reports() {
	const data = useLoaderData() as ReportsData;
	return (
		<Portal viewer={data.viewer} current="/reports" title="Reports & Analytics">
			<div className="grid items-start gap-6 xl:grid-cols-[1fr_20rem]">
				<Section id="generate" title="Generate Reports">
					<ReportForm data={data} />
				</Section>
				<Section id="quick" title="Quick Actions">
					<QuickActions paper={data.report.values.paper} />
				</Section>
			</div>
			<Section id="summary" title="Summary Statistics">
				<SummaryStatistics data={data} />
			</Section>
			<div className="grid gap-6 md:grid-cols-2">
				<Section id="expenses" title="Expense Breakdown" className="content-start">
					<ExpenseBreakdown data={data} />
				</Section>
				<Section id="trends" title="Performance Trends" className="content-start">
					<PerformanceTrends data={data} />
				</Section>
			</div>
			<Section id="mileage-log" title="Mileage Log for the Tax Year">
				<LogForm data={data} />
			</Section>
		</Portal>
	);
}
