/** Reports & Analytics (docs/product.md §2): reports to download, and the figures beside them. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import { datesOfRanges } from "../../domain/reports/rules.ts";
import { peopleToChoose } from "../../domain/users/choice.server.ts";
import { askedPerson, choiceFrom } from "../../domain/users/choice.ts";
import { Section } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { refusedIn } from "./address.ts";
import { figureStatements, figuresFrom } from "./figures.server.ts";
import { ExpenseBreakdown, PerformanceTrends, SummaryStatistics } from "./figures.tsx";
import { LogForm } from "./log-form.tsx";
import { QuickActions, ReportForm } from "./report-form.tsx";
import { typedLog, typedReport } from "./typed.server.ts";

export const handle = { title: "Reports & Analytics" };

export async function loader(args: LoaderFunctionArgs) {
	const { today, settings } = args.context;
	const query = new URL(args.request.url).searchParams;
	const person = askedPerson(refusedIn(query, "log") ? query : new URLSearchParams(), "driverId");
	const { admin, people, ...totals } = await asAdmin(args, (asking) => ({
		...figureStatements(asking),
		people: peopleToChoose(asking.build, "approvedDrivers", person),
	}));
	const choice = choiceFrom(people, person);
	return {
		viewer: viewerOf(admin),
		today,
		report: typedReport(query, today, settings.timeZone),
		ranges: datesOfRanges(today),
		log: typedLog(query, today, settings.timeZone, choice),
		person: choice,
		...figuresFrom(totals, admin),
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
