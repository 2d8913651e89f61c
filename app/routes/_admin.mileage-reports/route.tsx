/** Mileage Reports & Analytics (docs/product.md §2): what a window cost by driver, what to look into, and the entries that an administrator can void. */
import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import { refusal } from "../../auth/refusal.ts";
import { queryOf, viewFrom } from "../../domain/analytics/filters.ts";
import { oneEntry } from "../../domain/mileage/review.server.ts";
import { peopleToChoose } from "../../domain/users/choice.server.ts";
import { askedPerson, choiceFrom } from "../../domain/users/choice.ts";
import { fieldOf } from "../../http/form.server.ts";
import { Empty, Section, StatCard, Stats } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { isRowId } from "../../values/row-id.ts";
import { type VoidAnswer, voidAction } from "./actions.server.ts";
import { Entries } from "./entries.tsx";
import { Filters } from "./filters.tsx";
import { Insights } from "./insights.tsx";
import { Performance } from "./performance.tsx";
import { reportFrom, reportStatements } from "./report.server.ts";
import { shownEntry } from "./row.server.ts";
import { VoidDialog } from "./void-dialog.tsx";

export const handle = { title: "Mileage Reports & Analytics" };

export async function loader(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const view = viewFrom(query, args.context.today);
	const asked = askedPerson(query, "driver");
	const id = query.get("id") ?? "";
	const named = query.get("dialog") === "void" && isRowId(id) ? id : "";
	const { admin, people, one, ...answers } = await asAdmin(args, ({ build }) => ({
		...reportStatements({ build }, view),
		people: peopleToChoose(build, "approvedDrivers", asked),
		one: oneEntry(build, named),
	}));
	const choice = choiceFrom(people, asked);
	// One match is the match: the figures, the entries and the export are that driver's.
	if (choice.isOpen && choice.match)
		throw redirect(`/mileage-reports${queryOf({ ...view, driver: choice.match.id, after: undefined, entry: undefined })}`);
	// Nobody of that id has figures: the filter cannot have this value.
	if (view.driver && answers.totals.length === 0)
		throw redirect(`/mileage-reports${queryOf({ ...view, driver: undefined, isFlaggedOnly: false })}`);
	const [voidable] = one;
	return {
		viewer: viewerOf(admin),
		view,
		today: admin.today,
		choice,
		/** The address of this page without a dialog, to which every link adds. */
		query: queryOf(view),
		exportQuery: queryOf({ ...view, after: undefined, entry: undefined, isFlaggedOnly: false }),
		...reportFrom(answers, view, admin),
		flagToggle: queryOf({ ...view, entry: undefined, isFlaggedOnly: !view.isFlaggedOnly }),
		voiding: voidable && voidable.log.voidedAt === null ? shownEntry(voidable, admin) : undefined,
	};
}

export type ReportData = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await asAdmin(args);
	if ((await fieldOf(context, "intent")) !== "void")
		throw refusal({ kind: "bad-request", message: "This form does not say what to do." }, 400);
	const view = viewFrom(new URL(request.url).searchParams, context.today);
	const answer = await voidAction(context, admin, `/mileage-reports${queryOf(view)}`, view.driver !== undefined && !view.isFlaggedOnly);
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function MileageReports() {
	const data = useLoaderData() as ReportData;
	const answer = useActionData() as VoidAnswer | undefined;
	const { cards } = data;
	return (
		<Portal viewer={data.viewer} current="/mileage-reports" title="Mileage Reports & Analytics" toast={answer?.toast}>
			<Filters data={data} />
			<Stats columns={3}>
				<StatCard label="Total Miles Driven" value={cards.miles} note={data.window} />
				<StatCard label="Total Fuel Expenses" value={cards.fuel} note="approved fuel requests of these dates" />
				<StatCard label="Average Cost per Mile" value={cards.cost} note={`fuel divided by miles; the target is ${cards.target} or less`} />
			</Stats>
			<Section id="performance" title="Driver Performance Analysis">
				{data.hasFigures ? <Performance data={data} /> : <Empty>No mileage data found for the selected filters</Empty>}
			</Section>
			<Insights data={data} />
			<Entries data={data} />
			{data.voiding ? <VoidDialog entry={data.voiding} query={data.query} answer={answer} /> : null}
		</Portal>
	);
}
