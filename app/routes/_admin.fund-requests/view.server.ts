/**
 * What the screen shows: Fund Request Management (docs/product.md §2): the filters, the table, the
 * opened request beside it, and the dialogs for deciding requests.
 */
import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import * as v from "valibot";
import { requireReader } from "../../auth/guard.server.ts";
import { prepareSet } from "../../db/prepared.server.ts";
import { tickedIds } from "../../domain/fund-requests/input.ts";
import {
	isTotalKept,
	MAX_SEARCHED,
	selectCounts,
	selectKeptTotals,
	selectPage,
	selectSearchedUpTo,
	toListTotals,
} from "../../domain/fund-requests/listing.server.ts";
import { chooseIndex } from "../../domain/fund-requests/narrow.server.ts";
import { parseRequestReference } from "../../domain/fund-requests/opened.ts";
import {
	findRequest,
	findRequests,
	selectTimeline,
} from "../../domain/fund-requests/queries.server.ts";
import { isUndoable, MAX_BULK_SIZE } from "../../domain/fund-requests/rules.ts";
import {
	formatSearch,
	isSortableByAmount,
	parseSearch,
	type RequestSearch,
} from "../../domain/fund-requests/search.ts";
import { selectPersonChoices } from "../../domain/people/choice.server.ts";
import { parsePerson, toPersonChoice } from "../../domain/people/choice.ts";
import { isAllowed } from "../../routing/routes.ts";
import { toViewer } from "../../ui/viewer.ts";
import { pageLinks, toPage } from "../../values/cursor.ts";
import { parseRowDialog } from "../../values/row-dialog.ts";
import { isRowId } from "../../values/row-id.ts";
import { toBulkView } from "./bulk.server.ts";
import { tabsOf, toChips } from "./chips.server.ts";
import { deskStatements, toDecidedView, toDeskView } from "./desk.server.ts";
import { listUrl, parseChanged, parseUndoable, withChanged } from "./recently-changed.ts";
import { toRequestView, toRowView } from "./row.server.ts";
import { toTimelineView } from "./timeline.server.ts";
import { describeTotals } from "./totals.server.ts";

/** Rows per page. */
const PAGE = 50;

const DIALOGS = ["approve", "reject", "ask", "reopen", "receipt", "timeline"] as const;
/** Dialogs that only show something. */
const READ = ["receipt", "timeline"] as const;

/** What the URL and the form ask for, before anything is read. */
async function asked(args: LoaderFunctionArgs) {
	const query = new URL(args.request.url).searchParams;
	const { dialog, id } = parseRowDialog(query, DIALOGS);
	const isPost = args.context.method === "POST";
	const posted = isPost ? (await args.context.form()).getAll("ids") : query.getAll("ids");
	const open = query.get("open")?.trim() ?? "";
	return {
		query,
		view: parseSearch(query),
		dialog,
		named: dialog ? id : "",
		isBulk: query.get("dialog") === "bulk",
		isPost,
		ticked: v.parse(tickedIds, posted).filter(isRowId).slice(0, MAX_BULK_SIZE),
		changed: parseChanged(query),
		open,
		opened: parseRequestReference(open),
		person: parsePerson(query, "driver"),
	};
}

/** True if rows that an index finds must be checked one by one. */
const hasUnindexedFilter = (view: RequestSearch, timeZone: string) =>
	chooseIndex(view, timeZone).rest !== undefined;

const listStatements = prepareSet((build, view: RequestSearch, timeZone: string) => {
	const isKept = isTotalKept(view.filters);
	return {
		// One extra row shows whether there is a next page.
		page: selectPage(build, view, timeZone, PAGE + 1, MAX_SEARCHED),
		upTo: hasUnindexedFilter(view, timeZone)
			? selectSearchedUpTo(build, view, timeZone)
			: undefined,
		// The first page has nothing to count if the kept totals know.
		counts: isKept && !view.position ? undefined : selectCounts(build, view, timeZone),
		kept: isKept ? selectKeptTotals(build, view) : undefined,
	};
});

/** Everything the screen shows, in one trip to the database. */
export async function fundRequestsView(args: LoaderFunctionArgs) {
	const { settings, now } = args.context;
	const { query, view, dialog, named, isBulk, isPost, ticked, changed, open, opened, person } =
		await asked(args);
	const hasRest = hasUnindexedFilter(view, settings.timeZone);
	const { reader, ...found } = await requireReader(args, ({ build, me }) => ({
		...listStatements(view, settings.timeZone),
		people: selectPersonChoices(build, "approvedDrivers", person),
		one: named ? findRequest(build, undefined, named) : undefined,
		events: named && dialog === "timeline" ? selectTimeline(build, named) : undefined,
		tickedRows:
			ticked.length > 0 && (isBulk || isPost) ? findRequests(build, "id", ticked) : undefined,
		changedRows: changed.length > 0 ? findRequests(build, "number", changed) : undefined,
		...deskStatements({ build, me }, opened, now),
	}));
	const { page, tickedRows } = found;
	const choice = toPersonChoice(found.people, person);
	// A single match is used: the list is that driver's.
	if (choice.isOpen && choice.match && !isPost)
		throw redirect(
			`/fund-requests${formatSearch({ ...view, position: undefined, filters: { ...view.filters, driver: choice.match.id } })}`,
		);
	const neighbors = toPage(page, view.position, PAGE, ({ request }) => request);
	// A page that found too little says where it stopped, and the next one continues there.
	const [upTo] = page.length > PAGE ? [] : found.upTo;
	const way = view.position?.way ?? "after";
	const shown = upTo
		? { ...neighbors, [way === "after" ? "next" : "previous"]: { way, cursor: upTo } }
		: neighbors;
	const isStillUndoable = ({ request, payout }: (typeof page)[number]) =>
		payout === null && isUndoable(request, reader.user.id, reader.now);
	// Just changed rows stay in place. The toast undoes what the URL names, or what a post just
	// changed if it is answered without a redirect.
	const kept = [...found.changedRows, ...(isPost ? tickedRows : [])].filter(
		(row) => isStillUndoable(row) || row.request.status === "pending",
	);
	const keptNumbers = kept.map(({ request }) => request.number);
	const undoNumbers = parseUndoable(query);
	const undoable = kept.filter(
		(row) =>
			isStillUndoable(row) &&
			(isPost ? ticked.includes(row.request.id) : undoNumbers.includes(row.request.number)),
	);
	const [one] = found.one;
	const request = one && toRequestView(one, reader);
	const mayDecide = isAllowed(reader.role, "POST", "/fund-requests");
	const needsPending = dialog === "approve" || dialog === "reject" || dialog === "ask";
	const opens =
		request &&
		dialog &&
		(mayDecide || READ.some((name) => name === dialog)) &&
		!(needsPending && (!request.isPending || request.isOwn)) &&
		!(dialog === "reopen" && !request.isReopenable);
	const rows = (
		Object.values(view.filters).some((value) => value !== undefined)
			? withChanged(view, shown.rows, kept)
			: shown.rows
	).map((row) => toRowView(row, reader));
	const onNextPage = way === "after" ? page[PAGE] : undefined;
	const desk = toDeskView(
		found,
		reader,
		rows,
		onNextPage && toRowView(onNextPage, reader),
		(number, isOnNextPage) =>
			listUrl(isOnNextPage ? { ...view, position: shown.next } : view, keptNumbers, {
				open: number,
			}),
	);
	const totals = toListTotals(view, found.counts[0], found.kept[0], hasRest);
	return {
		viewer: toViewer(reader),
		today: reader.today,
		/** New for each rendering of a question's form, so that a resend is recognized. */
		key: crypto.randomUUID(),
		filters: view.filters,
		order: view.order,
		isSortableByAmount: isSortableByAmount(view.filters),
		choice,
		tabs: tabsOf(view, reader.waiting),
		chips: toChips(view, choice.chosen?.label),
		/** The URL of this page without a dialog, which every link extends. */
		query: formatSearch(view),
		exportQuery: formatSearch({ ...view, position: undefined }),
		pages: pageLinks(
			view.position,
			shown,
			(position) => `/fund-requests${formatSearch({ ...view, position })}`,
		),
		/** The page ended before it was full, because it had read as many as a page may. */
		isSearchUnfinished: upTo !== undefined,
		isAllSelected: query.get("select") === "all",
		ticked: isPost ? [] : ticked,
		rows,
		mayDecide,
		totals: describeTotals(view, totals, shown.rows.length, rows.length - shown.rows.length),
		/** With the changed rows in place: where Undo is sent, and what opens a request. */
		undoUrl: listUrl(view, keptNumbers),
		keptQuery: listUrl(view, keptNumbers).replace("/fund-requests", ""),
		openQuery: listUrl(view, keptNumbers, open ? { open } : {}).replace("/fund-requests", ""),
		/** What the toast may undo, if it reports it, and where that is sent. */
		undoAll: {
			url: listUrl(view, keptNumbers, open ? { open } : {}),
			numbers: undoable.map(({ request }) => request.number),
			/** When the latest of them was made. */
			seen: Math.max(0, ...undoable.map(({ request }) => request.decidedAt ?? 0)),
		},
		/** What this administrator decided in the last ten minutes. */
		decided: toDecidedView(found, reader),
		desk,
		/** What the URL asks to open but doesn't exist. */
		notFound: open && !desk ? open.slice(0, 40) : undefined,
		bulk:
			mayDecide && isBulk && !isPost && ticked.length > 0
				? toBulkView(ticked, tickedRows, reader)
				: undefined,
		/** Bulk Approve was chosen with nothing selected. */
		hasNoSelection: mayDecide && isBulk && !isPost && ticked.length === 0,
		dialog: opens
			? { kind: dialog, request, timeline: toTimelineView(one, found.events, reader.timeZone) }
			: undefined,
	};
}

export type FundRequestsData = Awaited<ReturnType<typeof fundRequestsView>>;
