/**
 * Mileage Reports & Analytics (docs/product.md §2): a window's costs by driver, what to look into,
 * and the entries that an administrator can void.
 */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { formatSearch, parseSearch } from "../../domain/analytics/search.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { inUnits } from "../../values/fleet-units.ts";
import { type VoidAnswer, voidAction } from "./actions.server.ts";
import { Entries } from "./entries.tsx";
import { Filters } from "./filters.tsx";
import { Insights } from "./fleet-insights.tsx";
import { Performance } from "./performance.tsx";
import { mileageReportView, type ReportData } from "./view.server.ts";
import { VoidDialog } from "./void-dialog.tsx";

export const handle = { title: "Mileage Reports & Analytics" };

export const loader = mileageReportView;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await requireAdmin(args);
	const act = await chooseByIntent(context, { void: voidAction });
	const view = parseSearch(new URL(request.url).searchParams, context.today);
	const answer = await act(
		context,
		admin,
		`/mileage-reports${formatSearch(view)}`,
		view.driver !== undefined && !view.isFlaggedOnly,
	);
	return toResponse(answer);
}

export default function MileageReports() {
	const data = useView<ReportData>();
	const answer = useAnswer<VoidAnswer>();
	const may = useMay();
	const { cards } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/mileage-reports"
			title="Mileage Reports & Analytics"
			listed={[data.choice.chosen?.label ?? "All drivers", data.window]}
			toast={answer?.toast}
		>
			<Filters data={data} />
			<Stats columns={3}>
				<StatCard label="Total Miles Driven" value={cards.miles} note={data.window} />
				<StatCard
					label="Total Fuel Expenses"
					value={cards.fuel}
					note="Approved fuel requests in this period"
				/>
				<StatCard
					label="Average Cost per Mile"
					value={cards.cost}
					note={`Fuel ÷ ${inUnits("miles")}. Target: ${cards.target} or less`}
				/>
			</Stats>
			<Section id="performance" title="Driver Performance Analysis" isRegion={false}>
				{data.hasFigures ? (
					<Performance data={data} />
				) : (
					<Empty>No mileage data found for the selected filters</Empty>
				)}
			</Section>
			<Insights data={data} />
			<Entries data={data} />
			{data.voiding && may("POST", "/mileage-reports") ? (
				<VoidDialog entry={data.voiding} query={data.query} answer={answer} />
			) : null}
		</Portal>
	);
}
