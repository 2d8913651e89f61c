/** Reports & Analytics (docs/product.md §2): reports to download, and the figures beside them. */

import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { useView } from "../../ui/use-view.ts";
import { ExpenseBreakdown, PerformanceTrends, SummaryStatistics } from "./figures.tsx";
import { LogForm } from "./log-form.tsx";
import { QuickActions, ReportForm } from "./report-form.tsx";
import { type ReportsData, reportsView } from "./view.server.ts";

export const handle = { title: "Reports & Analytics" };

export const loader = reportsView;

export default function Reports() {
	const data = useView<ReportsData>();
	return (
		<Portal viewer={data.viewer} current="/reports" title="Reports & Analytics">
			<div className="no-print grid items-start gap-6 xl:grid-cols-[1fr_20rem]">
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
			<Section id="mileage-log" title="Mileage Log for the Tax Year" className="no-print">
				<LogForm data={data} />
			</Section>
		</Portal>
	);
}
