/** The opened request with everything needed to decide it: what the desk shows beside the list. */
import type { QueryContext } from "../../auth/guard.server.ts";
import type { Results } from "../../db/client.server.ts";
import type { RequestReference } from "../../domain/fund-requests/opened.ts";
import { selectTimeline } from "../../domain/fund-requests/queries.server.ts";
import {
	MAX_RECENT,
	referencedId,
	selectDuplicates,
	selectLatestOfDriver,
	selectRecentlyDecided,
	selectReferenced,
} from "../../domain/fund-requests/review.server.ts";
import {
	effectiveAmount,
	requestNumber,
	SHORT_TYPE_LABELS,
	STATUS_LABELS,
	STATUS_TONES,
} from "../../domain/fund-requests/rules.ts";
import type { ReaderContext } from "../../domain/kernel/context.ts";
import { dateIn, formatDate, formatTime } from "../../values/calendar-date.ts";
import { formatCount } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import { isToCheck, type RowView, toRequestView } from "./row.server.ts";
import { toTimelineView } from "./timeline.server.ts";

/** The desk's statements: without an opened request only the last one. */
export const deskStatements = (
	{ build, me }: Pick<QueryContext, "build" | "me">,
	opened: RequestReference | undefined,
	now: number,
) => ({
	opened: opened && selectReferenced(build, opened),
	openedEvents: opened && selectTimeline(build, referencedId(opened)),
	latest: opened && selectLatestOfDriver(build, opened),
	duplicates: opened && selectDuplicates(build, opened),
	decided: selectRecentlyDecided(me, now),
});

type Found = Results<ReturnType<typeof deskStatements>>;

/** What this administrator decided in the last ten minutes and can still undo. */
export function toDecidedView({ decided }: Pick<Found, "decided">, { timeZone }: ReaderContext) {
	const found = decided[0]?.found ?? 0;
	const count = found > MAX_RECENT ? `more than ${MAX_RECENT}` : formatCount(found);
	return {
		count,
		/** What isn't listed here. */
		others: found > decided.length ? `These are the latest ${decided.length} of ${count}.` : "",
		latest: decided.map((request) => ({
			id: request.id,
			number: requestNumber(request.number),
			amount: formatDollars(effectiveAmount(request)),
			status: STATUS_LABELS[request.status],
			tone: STATUS_TONES[request.status],
			decidedAt: request.decidedAt,
			when: request.decidedAt === null ? "" : formatTime(timeZone, request.decidedAt),
		})),
	};
}

/** The reference of a neighbor in the list. */
type Neighbor = { readonly number: string; readonly url: string };

/**
 * @param rows as in the list
 * @param afterPage the first request of the next page, if there is one
 * @param urlOf the URL that opens a request, on this page of the list or on the next
 */
export function toDeskView(
	{ opened, openedEvents, latest, duplicates }: Found,
	reader: ReaderContext,
	rows: readonly RowView[],
	afterPage: RowView | undefined,
	urlOf: (number: string, isOnNextPage: boolean) => string,
) {
	const [found] = opened;
	if (!found) return undefined;
	const { timeZone } = reader;
	const request = toRequestView(found, reader);
	const position = rows.findIndex(({ id }) => id === request.id);
	const around =
		position < 0 ? [] : [...rows.slice(position + 1), ...(afterPage ? [afterPage] : [])];
	const neighbor = (row: RowView | undefined): Neighbor | undefined =>
		row && { number: row.number, url: urlOf(row.number, row === afterPage) };
	const toDecide = (row: RowView) => row.isPending && !row.isOwn && row.id !== request.id;
	return {
		request,
		timeline: toTimelineView(found, openedEvents, timeZone),
		latest: latest.map((each) => ({
			id: each.id,
			number: requestNumber(each.number),
			type: SHORT_TYPE_LABELS[each.type],
			amount: formatDollars(effectiveAmount(each)),
			status: STATUS_LABELS[each.status],
			tone: STATUS_TONES[each.status],
			date: formatDate(dateIn(timeZone, each.createdAt)),
			description: each.description,
		})),
		/** Requests that it may duplicate, or that may duplicate it. */
		duplicates: duplicates.map(({ number }) => requestNumber(number)),
		previous: neighbor(rows[position - 1]),
		next: neighbor(around[0]),
		/** What is opened once this one is decided: the next undecided request. */
		nextToDecide: neighbor(
			around.find(toDecide) ?? rows.slice(0, Math.max(position, 0)).find(toDecide),
		),
		/** Whether approving asks for confirmation. */
		isToCheck: isToCheck(request),
	};
}

export type DeskView = NonNullable<ReturnType<typeof toDeskView>>;
