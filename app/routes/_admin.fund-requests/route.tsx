/** Fund Request Management (spec §2): the filters, the table, and the dialogs in which a request is decided. */

import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import { refusal } from "../../auth/refusal.ts";
import { queryOf, viewFrom } from "../../domain/fund-requests/filters.ts";
import { listRequests, oneRequest, timelineOf } from "../../domain/fund-requests/queries.server.ts";
import { fieldOf } from "../../http/form.server.ts";
import { Pages } from "../../ui/pages.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Empty } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { dollars } from "../../values/money.ts";
import { isRowId } from "../../values/row-id.ts";
import { bulkAction, type FundRequestsAnswer, processAction, undoAction } from "./actions.server.ts";
import { Dialog } from "./dialogs.tsx";
import { Filters } from "./filters.tsx";
import { Requests } from "./requests.tsx";
import { shownRequest } from "./row.server.ts";
import { shownTimeline } from "./timeline.server.ts";

export const handle = { title: "Fund Request Management" };

/** Rows on one page. */
const PAGE = 50;
const DIALOGS = ["approve", "reject", "receipt", "timeline"] as const;

export async function loader(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const view = viewFrom(query);
	const dialog = DIALOGS.find((name) => name === query.get("dialog"));
	const id = query.get("id") ?? "";
	const named = dialog && isRowId(id) ? id : "";
	const { admin, page, one, events } = await asAdmin(args, ({ build }) => ({
		// One more than a page tells whether there is another.
		page: listRequests(build, undefined, view.filters, view.order, PAGE + 1, view.after),
		one: oneRequest(build, undefined, named),
		events: timelineOf(build, dialog === "timeline" ? named : ""),
	}));
	const rows = page.slice(0, PAGE);
	const last = rows.at(-1)?.request;
	const [asked] = one;
	const isDecision = dialog === "approve" || dialog === "reject";
	const opens = asked && dialog && !(isDecision && (asked.request.status !== "pending" || asked.request.driverId === admin.user.id));
	return {
		viewer: viewerOf(admin),
		filters: view.filters,
		order: view.order,
		/** The address of this page without a dialog, and the one every link adds to. */
		query: queryOf(view),
		exportQuery: queryOf({ ...view, after: undefined }),
		firstPage: view.after ? queryOf({ ...view, after: undefined }) : undefined,
		nextPage: page.length > PAGE && last ? queryOf({ ...view, after: last }) : undefined,
		isAllSelected: query.get("select") === "all",
		rows: rows.map((row) => shownRequest(row, admin)),
		total: dollars(rows.reduce((sum, { request }) => sum + request.amountCents, 0)),
		dialog: opens
			? { kind: dialog, request: shownRequest(asked, admin), timeline: shownTimeline(asked, events, admin.timeZone) }
			: undefined,
	};
}

export type FundRequestsData = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await asAdmin(args);
	const here = `/fund-requests${queryOf(viewFrom(new URL(request.url).searchParams))}`;
	const actions: Readonly<Record<string, typeof processAction>> = { process: processAction, "bulk-approve": bulkAction, undo: undoAction };
	const intent = await fieldOf(context, "intent");
	const chosen = Object.hasOwn(actions, intent) ? actions[intent] : undefined;
	if (!chosen) throw refusal({ kind: "bad-request", message: "This form does not say what to do." }, 400);
	const answer = await chosen(context, admin, here);
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function FundRequestManagement() {
	const data = useLoaderData() as FundRequestsData;
	const answer = useActionData() as FundRequestsAnswer | undefined;
	const { rows } = data;
	return (
		<Portal viewer={data.viewer} current="/fund-requests" title="Fund Request Management" toast={answer?.toast}>
			<Filters data={data} />
			{answer?.results ? (
				<Alert tone={answer.status === 200 ? "info" : "bad"} id="results">
					{answer.results.map((result) => (
						<p key={result} className="font-normal">
							{result}
						</p>
					))}
				</Alert>
			) : null}
			{rows.length > 0 ? (
				<>
					<Requests data={data} />
					<p className="text-end font-semibold tabular-nums">
						{`${rows.length} ${rows.length === 1 ? "request" : "requests"} shown, ${data.total}`}
					</p>
				</>
			) : (
				<Empty>No fund requests found</Empty>
			)}
			<Pages
				first={data.firstPage === undefined ? undefined : `/fund-requests${data.firstPage}`}
				next={data.nextPage === undefined ? undefined : `/fund-requests${data.nextPage}`}
			/>
			{data.dialog ? <Dialog {...data.dialog} query={data.query} answer={answer} /> : null}
		</Portal>
	);
}
