/**
 * Fund Request Management (docs/product.md §2): the filters, the table, and the dialogs in which a
 * request is decided.
 */

import { type ActionFunctionArgs, json } from "@remix-run/cloudflare";
import { requireAdmin } from "../../auth/guard.server.ts";
import { parseSearch } from "../../domain/fund-requests/search.ts";
import { textField } from "../../http/form.server.ts";
import { refusal } from "../../http/refusal.ts";
import { TOASTS } from "../../messages.ts";
import { Pages } from "../../ui/pages.tsx";
import { Alert, AlertDescription } from "../../ui/primitives/alert.tsx";
import { Empty } from "../../ui/primitives/empty.tsx";
import { Portal } from "../../ui/shell.tsx";
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
import { Dialog } from "./dialogs.tsx";
import { Filters } from "./filters.tsx";
import { parseChanged } from "./recently-changed.ts";
import { Requests, UndoChanged } from "./requests.tsx";
import { type FundRequestsData, fundRequestsView } from "./view.server.ts";

export const handle = { title: "Fund Request Management" };

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
	const intent = await textField(context, "intent");
	const chosen = Object.hasOwn(actions, intent) ? actions[intent] : undefined;
	if (!chosen)
		throw refusal({ kind: "bad-request", message: "This form does not say what to do." }, 400);
	const answer = await chosen(context, admin, {
		view: parseSearch(query),
		changed: parseChanged(query),
	});
	return answer instanceof Response ? answer : json(answer, { status: answer.status });
}

export default function FundRequestManagement() {
	const data = useView<FundRequestsData>();
	const answer = useAnswer<FundRequestsAnswer>();
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
				<Alert variant={answer.status === 200 ? "info" : "bad"} id="results" takesFocus>
					{answer.results.map((result) => (
						<AlertDescription key={result}>{result}</AlertDescription>
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
			<Pages links={data.pages} />
			{data.bulk ? <BulkDialog bulk={data.bulk} query={data.query} /> : null}
			{data.dialog ? (
				<Dialog {...data.dialog} messageKey={data.key} query={data.query} answer={answer} />
			) : null}
		</Portal>
	);
}
