/**
 * What the screen shows: Fund Request Management (docs/product.md §2): the filters, the table, and
 * the dialogs in which a request is decided.
 */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as v from "valibot";
import { requireAdmin } from "../../auth/guard.server.ts";
import { tickedIds } from "../../domain/fund-requests/input.ts";
import {
	findRequest,
	findRequests,
	listRequests,
	selectTimeline,
} from "../../domain/fund-requests/queries.server.ts";
import { effectiveAmount, isUndoable, MAX_BULK_SIZE } from "../../domain/fund-requests/rules.ts";
import { formatSearch, parseSearch } from "../../domain/fund-requests/search.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { formatDollars } from "../../values/money.ts";
import { isRowId } from "../../values/row-id.ts";
import { toBulkView } from "./bulk.server.ts";
import { listUrl, parseChanged, withChanged } from "./recently-changed.ts";
import { toRequestView } from "./row.server.ts";
import { toTimelineView } from "./timeline.server.ts";

/** Rows on one page. */
const PAGE = 50;

const DIALOGS = ["approve", "reject", "ask", "reopen", "receipt", "timeline"] as const;

/** Everything the screen shows, in one trip to the database. */
export async function fundRequestsView(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const view = parseSearch(query);
	const dialog = DIALOGS.find((name) => name === query.get("dialog"));
	const id = query.get("id") ?? "";
	const named = dialog && isRowId(id) ? id : "";
	const isBulk = query.get("dialog") === "bulk";
	const isPost = args.context.method === "POST";
	const posted = isPost ? (await args.context.form()).getAll("ids") : query.getAll("ids");
	const ticked = v.parse(tickedIds, posted).filter(isRowId).slice(0, MAX_BULK_SIZE);
	const changed = parseChanged(query);
	const {
		admin,
		page,
		one,
		events,
		asked: tickedRows,
		changedRows,
	} = await requireAdmin(args, ({ build }) => ({
		// One more than a page tells whether there is another.
		page: listRequests(build, undefined, view.filters, view.order, PAGE + 1, view.position),
		one: findRequest(build, undefined, named),
		events: selectTimeline(build, dialog === "timeline" ? named : ""),
		asked: findRequests(build, "id", isBulk || isPost ? ticked : []),
		changedRows: findRequests(build, "number", changed),
	}));
	const shown = toPage(page, view.position, PAGE, ({ request }) => request);
	const listed = shown.rows;
	const [asked] = one;
	const isStillUndoable = ({ request, payout }: (typeof page)[number]) =>
		payout === null && isUndoable(request, admin.user.id, admin.now);
	// What was just changed stays in its place, with Undo; a post that is answered at once has just
	// changed what it names.
	const kept = [...changedRows, ...(isPost ? tickedRows : [])].filter(
		(row) => isStillUndoable(row) || row.request.status === "pending",
	);
	const undoable = kept.filter(isStillUndoable);
	const needsPending = dialog === "approve" || dialog === "reject" || dialog === "ask";
	const request = asked && toRequestView(asked, admin);
	const opens =
		request &&
		dialog &&
		!(needsPending && (!request.isPending || request.isOwn)) &&
		!(dialog === "reopen" && !request.isReopenable);
	return {
		viewer: toViewer(admin),
		/** Minted for this rendering of a question's form: a resend of it is recognised. */
		key: crypto.randomUUID(),
		filters: view.filters,
		order: view.order,
		/** The address of this page without a dialog, and the one every link adds to. */
		query: formatSearch(view),
		exportQuery: formatSearch({ ...view, position: undefined }),
		pages: pageLinks(
			view.position,
			shown,
			(position) => `/fund-requests${formatSearch({ ...view, position })}`,
		),
		isAllSelected: query.get("select") === "all",
		ticked: isPost ? [] : ticked,
		rows: (view.filters.status ? withChanged(view, listed, kept) : listed).map((row) =>
			toRequestView(row, admin),
		),
		count: listed.length,
		total: formatDollars(listed.reduce((sum, { request }) => sum + effectiveAmount(request), 0)),
		/** Where Undo is sent, so that the other changed rows stay in their places. */
		undoAddress: listUrl(
			view,
			kept.map(({ request }) => request.number),
		),
		/** Where the toast takes back all that it speaks of. */
		undoAll:
			undoable.length > 0
				? {
						address: `/fund-requests${formatSearch(view, { changed: undoable.map(({ request }) => request.number).join(".") })}`,
						count: undoable.length,
					}
				: undefined,
		bulk:
			isBulk && !isPost && ticked.length > 0 ? toBulkView(ticked, tickedRows, admin) : undefined,
		/** Bulk Approve was pressed with nothing ticked. */
		hasNoSelection: isBulk && !isPost && ticked.length === 0,
		dialog: opens
			? { kind: dialog, request, timeline: toTimelineView(asked, events, admin.timeZone) }
			: undefined,
	};
}

export type FundRequestsData = Awaited<ReturnType<typeof fundRequestsView>>;
