/** Fund Request Management (docs/product.md §2): the filters, the table, and the dialogs in which a request is decided. */

import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { asAdmin } from "../../auth/guard.server.ts";
import { refusal } from "../../auth/refusal.ts";
import { queryOf, viewFrom } from "../../domain/fund-requests/filters.ts";
import { listRequests, oneRequest, requestsNamed, timelineOf } from "../../domain/fund-requests/queries.server.ts";
import { isUndoable, MOST_AT_ONCE } from "../../domain/fund-requests/rules.ts";
import { fieldOf } from "../../http/form.server.ts";
import { TOASTS } from "../../messages.ts";
import { Pages } from "../../ui/pages.tsx";
import { Alert } from "../../ui/primitives/alert.tsx";
import { Empty } from "../../ui/primitives/card.tsx";
import { Portal } from "../../ui/shell.tsx";
import { viewerOf } from "../../ui/viewer.ts";
import { dollars } from "../../values/money.ts";
import { isRowId } from "../../values/row-id.ts";
import { bulkAction, type FundRequestsAnswer, idsIn, processAction, undoAction, undoChangedAction } from "./actions.server.ts";
import { shownBulk } from "./bulk.server.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { changedIn, listAddress, withChanged } from "./changed.ts";
import { Dialog } from "./dialogs.tsx";
import { Filters } from "./filters.tsx";
import { Requests, UndoChanged } from "./requests.tsx";
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
	const isBulk = query.get("dialog") === "bulk";
	const isPost = args.context.method === "POST";
	const posted = isPost ? (await args.context.form()).getAll("ids") : query.getAll("ids");
	const ticked = idsIn(posted).filter(isRowId).slice(0, MOST_AT_ONCE);
	const changed = changedIn(query);
	const {
		admin,
		page,
		one,
		events,
		asked: tickedRows,
		changedRows,
	} = await asAdmin(args, ({ build }) => ({
		// One more than a page tells whether there is another.
		page: listRequests(build, undefined, view.filters, view.order, PAGE + 1, view.after),
		one: oneRequest(build, undefined, named),
		events: timelineOf(build, dialog === "timeline" ? named : ""),
		asked: requestsNamed(build, "id", isBulk || isPost ? ticked : []),
		changedRows: requestsNamed(build, "number", changed),
	}));
	const listed = page.slice(0, PAGE);
	const last = listed.at(-1)?.request;
	const [asked] = one;
	// What was just changed stays in its place, with Undo; a post that is answered at once has just changed what it names.
	const kept = [...changedRows, ...(isPost ? tickedRows : [])].filter(
		({ request }) => isUndoable(request, admin.user.id, admin.now) || request.status === "pending",
	);
	const undoable = kept.filter(({ request }) => isUndoable(request, admin.user.id, admin.now));
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
		ticked: isPost ? [] : ticked,
		rows: (view.filters.status ? withChanged(view, listed, kept) : listed).map((row) => shownRequest(row, admin)),
		count: listed.length,
		total: dollars(listed.reduce((sum, { request }) => sum + request.amountCents, 0)),
		/** Where Undo is sent, so that the other changed rows stay in their places. */
		undoAddress: listAddress(
			view,
			kept.map(({ request }) => request.number),
		),
		/** Where the toast takes back all that it speaks of. */
		undoAll:
			undoable.length > 0
				? {
						address: `/fund-requests${queryOf(view, { changed: undoable.map(({ request }) => request.number).join(".") })}`,
						count: undoable.length,
					}
				: undefined,
		bulk: isBulk && !isPost && ticked.length > 0 ? shownBulk(ticked, tickedRows, admin) : undefined,
		/** Bulk Approve was pressed with nothing ticked. */
		hasNoSelection: isBulk && !isPost && ticked.length === 0,
		dialog: opens
			? { kind: dialog, request: shownRequest(asked, admin), timeline: shownTimeline(asked, events, admin.timeZone) }
			: undefined,
	};
}

export type FundRequestsData = Awaited<ReturnType<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await asAdmin(args);
	const query = new URL(request.url).searchParams;
	const actions: Readonly<Record<string, typeof processAction>> = {
		process: processAction,
		"bulk-approve": bulkAction,
		undo: undoAction,
		"undo-changed": undoChangedAction,
	};
	const intent = await fieldOf(context, "intent");
	const chosen = Object.hasOwn(actions, intent) ? actions[intent] : undefined;
	if (!chosen) throw refusal({ kind: "bad-request", message: "This form does not say what to do." }, 400);
	const answer = await chosen(context, admin, { view: viewFrom(query), changed: changedIn(query) });
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function FundRequestManagement() {
	const data = useLoaderData() as FundRequestsData;
	const answer = useActionData() as FundRequestsAnswer | undefined;
	const { rows, count } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/fund-requests"
			title="Fund Request Management"
			toast={answer?.toast ?? (data.hasNoSelection ? TOASTS.nothingSelected : undefined)}
			toastAction={<UndoChanged undoAll={data.undoAll} />}
		>
			<Filters data={data} />
			{answer?.results ? (
				<Alert tone={answer.status === 200 ? "info" : "bad"} id="results" takesFocus>
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
					<p className="text-end font-semibold tabular-nums">{`${count} ${count === 1 ? "request" : "requests"} shown, ${data.total}`}</p>
				</>
			) : (
				<Empty>No fund requests found</Empty>
			)}
			<Pages
				first={data.firstPage === undefined ? undefined : `/fund-requests${data.firstPage}`}
				next={data.nextPage === undefined ? undefined : `/fund-requests${data.nextPage}`}
			/>
			{data.bulk ? <BulkDialog bulk={data.bulk} query={data.query} /> : null}
			{data.dialog ? <Dialog {...data.dialog} query={data.query} answer={answer} /> : null}
		</Portal>
	);
}
