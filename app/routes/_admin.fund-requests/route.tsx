/**
 * Fund Request Management (docs/product.md §2): the filters, the table, and the dialogs for
 * deciding requests.
 */

import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { parseSearch } from "../../domain/fund-requests/search.ts";
import { chooseByIntent, toResponse } from "../../http/intent.server.ts";
import { TOASTS } from "../../messages.ts";
import { Pages } from "../../ui/pages.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Portal } from "../../ui/shell.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useAnswer, useView } from "../../ui/use-view.ts";
import {
	askAction,
	bulkAction,
	type FundRequestsAnswer,
	processAction,
	reopenAction,
	undoAction,
	undoChangedAction,
} from "./actions.server.ts";

import { BulkDialog } from "./bulk-dialog.tsx";
import { BulkForm } from "./bulk-form.tsx";
import { Desk } from "./desk.tsx";
import { Dialog } from "./dialogs.tsx";
import { Filters } from "./filters.tsx";
import { parseChanged, parseUndoable } from "./recently-changed.ts";
import { RecentlyDecided } from "./recently-decided.tsx";
import { Requests } from "./requests.tsx";
import { UndoChanged } from "./undo.tsx";
import { type FundRequestsData, fundRequestsView } from "./view.server.ts";

export const handle = {
	title: (data: unknown) =>
		[(data as FundRequestsData).desk?.request.number, "Fund Request Management"]
			.filter(Boolean)
			.join(" · "),
};

export const loader = fundRequestsView;

export async function action(args: ActionFunctionArgs) {
	const { context, request } = args;
	const { admin } = await requireAdmin(args);
	const query = new URL(request.url).searchParams;
	const actions: Readonly<Record<string, typeof processAction>> = {
		process: processAction,
		"bulk-approve": bulkAction,
		ask: askAction,
		reopen: reopenAction,
		undo: undoAction,
		"undo-changed": undoChangedAction,
	};
	const act = await chooseByIntent(context, actions);
	const answer = await act(context, admin, {
		view: parseSearch(query),
		changed: parseChanged(query),
		undoable: parseUndoable(query),
		open: query.get("open")?.trim() || undefined,
	});
	return toResponse(answer);
}

function List({ data }: { data: FundRequestsData }) {
	return (
		<div className="grid min-w-0 content-start gap-4">
			{data.rows.length > 0 ? (
				<Requests data={data} />
			) : (
				<div>
					<BulkForm data={data} />
					<Empty {...(data.isSearchUnfinished ? {} : { pages: data.pages })}>
						{data.isSearchUnfinished ? "No matches on this page yet" : "No fund requests found"}
					</Empty>
				</div>
			)}
			{data.isSearchUnfinished ? (
				<p className="text-quiet">
					{`Not all requests were searched. Go to the ${data.pages.next ? "next" : "previous"} page to search more.`}
				</p>
			) : null}
			<div className="flex flex-wrap items-center justify-between gap-3">
				{data.rows.length > 0 || data.isSearchUnfinished ? (
					<p className="font-semibold tabular-nums">{data.totals}</p>
				) : null}
				<Pages links={data.pages} />
			</div>
		</div>
	);
}

export default function FundRequestManagement() {
	const data = useView<FundRequestsData>();
	const answer = useAnswer<FundRequestsAnswer>();
	const { desk } = data;
	return (
		<Portal
			viewer={data.viewer}
			current="/fund-requests"
			title="Fund Request Management"
			isWide
			listed={data.chips.map(({ label }) => label)}
			toast={answer?.toast ?? (data.hasNoSelection ? TOASTS.nothingSelected : undefined)}
			toastAction={<UndoChanged undoAll={data.undoAll} answer={answer} />}
		>
			{desk ? null : (
				<>
					<Tabs label="Requests to show" tabs={data.tabs} />
					<Filters data={data} />
					<RecentlyDecided data={data} />
				</>
			)}
			{data.notFound ? (
				<Alert variant="wait" id="not-found">
					<p className="wrap-anywhere">{`No request found for "${data.notFound}".`}</p>
				</Alert>
			) : null}
			{answer?.results ? (
				<Alert variant={answer.status === 200 ? "info" : "bad"} id="results" takesFocus>
					{answer.results.map((result) => (
						<AlertDescription key={result}>{result}</AlertDescription>
					))}
				</Alert>
			) : null}
			{desk ? (
				<div className="desk-room grid gap-6">
					<div className="grid gap-2 max-xl:hidden print:hidden">
						<details>
							<summary className="min-h-11 content-center font-semibold text-accent">
								{data.chips.length > 0 ? `Filters (${data.chips.length})` : "Filters"}
							</summary>
							<Filters data={data} />
						</details>
						<RecentlyDecided data={data} />
					</div>
					<div className="max-xl:hidden">
						<List data={data} />
					</div>
					<Desk desk={desk} data={data} answer={answer} />
				</div>
			) : (
				<List data={data} />
			)}
			{data.bulk ? <BulkDialog bulk={data.bulk} query={data.query} /> : null}
			{data.dialog ? (
				<Dialog
					{...data.dialog}
					messageKey={data.key}
					query={desk ? data.openQuery : data.query}
					answer={answer}
				/>
			) : null}
		</Portal>
	);
}
