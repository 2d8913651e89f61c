/**
 * Uber Fee Management (docs/product.md §2): the totals, the form that adds a fee, the list, and the
 * breakdown by category.
 */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { parseSearch } from "../../domain/uber-fees/search.ts";
import { textField } from "../../http/form.server.ts";
import { toResponse } from "../../http/intent.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { GoButton } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { Section } from "../../ui/primitives/section.tsx";
import { Portal } from "../../ui/shell.tsx";
import { StatCard, Stats } from "../../ui/stat-card.tsx";
import { useMay } from "../../ui/use-may.ts";
import { useAnswer, useView } from "../../ui/use-view.ts";
import { addAction, deleteAction, type FeeAnswer } from "./actions.server.ts";
import { Dialog } from "./dialogs.tsx";
import { Breakdown, Fees, Filter } from "./fees.tsx";
import { FeeForm } from "./form.tsx";
import { type FeesData, feesView } from "./view.server.ts";

export const handle = { title: "Uber Fee Management" };

export const loader = feesView;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await requireAdmin(args);
	const { driver, position } = parseSearch(new URL(request.url).searchParams);
	const place = { driverId: driver.id, position };
	const answer =
		(await textField(context, "intent")) === "delete"
			? await deleteAction(context, admin, place)
			: await addAction(context, admin, place);
	return toResponse(answer);
}

export default function UberFeeManagement() {
	const data = useView<FeesData>();
	const answer = useAnswer<FeeAnswer>();
	const may = useMay();
	const mayChange = may("POST", "/uber-fees");
	return (
		<Portal
			viewer={data.viewer}
			current="/uber-fees"
			title="Uber Fee Management"
			listed={[data.filter.chosen?.label ?? "All drivers", data.listed]}
			toast={answer?.toast}
		>
			<Stats isWide>
				<StatCard label="Total Uber Fees" value={data.total} note="All time" />
				<StatCard label="This Month" value={data.month.total} note={data.month.period} />
			</Stats>
			{mayChange ? (
				<Section id="add-fee" title="Add Uber Fee" className="print:hidden">
					<Card>
						<FeeForm data={data} answer={answer} />
					</Card>
				</Section>
			) : null}
			<Section
				id="fees"
				title="Uber Fees"
				actions={
					<GoButton variant="outline" href="/uber-fees/import">
						{may("POST", "/uber-fees/import") ? "Import a statement" : "Imported statements"}
					</GoButton>
				}
			>
				<Filter data={data} />
				<Fees data={data} />
				<Pages links={data.pages} anchor="fees" />
			</Section>
			<Section id="breakdown" title="Fee Breakdown by Category">
				<Breakdown categories={data.categories} />
			</Section>
			{data.dialog && mayChange ? <Dialog {...data.dialog} place={data.place} /> : null}
		</Portal>
	);
}
