/** A driver's history: what it can be asked for, in what order it stands, and its words (docs/product.md §2, §9). */
import { type CalendarDate, dateIn } from "../../values/calendar-date.ts";
import { cursors } from "../../values/cursor.ts";
import { lastDays, momentsOf, type Period } from "../../values/period.ts";
import { type RequestStatus, type RequestType, STATUS_LABELS, STATUS_TONES } from "../fund-requests/rules.ts";

export const RANGES = ["week", "month", "quarter"] as const;
export type Range = (typeof RANGES)[number];
export const RANGE_LABELS: Readonly<Record<Range, string>> = { week: "This Week", month: "This Month", quarter: "This Quarter" };
/** Calendar dates in a window, today's included (docs/product.md, 'Numbers, money and dates'). */
export const RANGE_DAYS: Readonly<Record<Range, number>> = { week: 7, month: 30, quarter: 90 };

export const HISTORY_TYPES = ["all", "mileage", "requests"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];
export const TYPE_LABELS: Readonly<Record<HistoryType, string>> = {
	all: "All Activity",
	mileage: "Mileage Logs",
	requests: "Fund Requests",
};

/**
 * One line of the history. A trip has a calendar date and no time of day; a request's date is that of its moment in the fleet's zone.
 */
export type HistoryItem =
	| {
			readonly kind: "request";
			readonly id: string;
			readonly date: CalendarDate;
			readonly createdAt: number;
			readonly type: RequestType;
			readonly amountCents: number;
			readonly status: RequestStatus;
	  }
	| {
			readonly kind: "mileage";
			readonly id: string;
			readonly date: CalendarDate;
			readonly endMiles: number;
			readonly createdAt: number;
			readonly miles: number;
			readonly isVoided: boolean;
			/** Why an administrator voided it. */
			readonly reason?: string | null;
	  };
type Of<Kind extends HistoryItem["kind"]> = Extract<HistoryItem, { kind: Kind }>;

/** Where a page goes on: after this line. A line is its own cursor. */
export type HistoryCursor =
	| Pick<Of<"request">, "kind" | "createdAt" | "id">
	| Pick<Of<"mileage">, "kind" | "date" | "endMiles" | "createdAt" | "id">;

export type HistoryView = {
	readonly range: Range;
	readonly type: HistoryType;
	readonly period: Period;
	readonly after: HistoryCursor | undefined;
};

const requestLines = cursors({ createdAt: "number", id: "id" });
const mileageLines = cursors({ date: "date", endMiles: "miles", createdAt: "number", id: "id" });
/** What a cursor begins with says which of the two lists its line is in. */
const [REQUEST, MILEAGE] = ["request_", "mileage_"];

/** A cursor outside of the window, as a link kept since yesterday may hold one, is none: the first page is shown. */
function cursorFrom(text: string, period: Period, timeZone: string): HistoryCursor | undefined {
	if (text.startsWith(REQUEST)) {
		const line = requestLines.parse(text.slice(REQUEST.length));
		const { from, before } = momentsOf(timeZone, period);
		const isInside = line && line.createdAt >= from && line.createdAt < before;
		return isInside ? { kind: "request", ...line } : undefined;
	}
	const line = text.startsWith(MILEAGE) ? mileageLines.parse(text.slice(MILEAGE.length)) : undefined;
	const isInside = line && line.date >= period.from && line.date <= period.to;
	return isInside ? { kind: "mileage", ...line } : undefined;
}

/**
 * The view that an address asks for; a value it cannot have counts as not given.
 * @param today in the fleet's zone
 */
export function viewFrom(query: URLSearchParams, today: CalendarDate, timeZone: string): HistoryView {
	const range = RANGES.find((each) => each === query.get("range")) ?? "month";
	const period = lastDays(today, RANGE_DAYS[range]);
	return {
		range,
		type: HISTORY_TYPES.find((each) => each === query.get("type")) ?? "all",
		period,
		after: cursorFrom(query.get("after") ?? "", period, timeZone),
	};
}

function cursorText(after: HistoryCursor): string {
	return after.kind === "request" ? REQUEST + requestLines.format(after) : MILEAGE + mileageLines.format(after);
}

/** The shortest query that asks for a view; `` or `?...`. */
export function queryOf({ range, type, after }: Omit<HistoryView, "period">): string {
	const query = new URLSearchParams();
	if (range !== "month") query.set("range", range);
	if (type !== "all") query.set("type", type);
	if (after) query.set("after", cursorText(after));
	return query.size > 0 ? `?${query}` : "";
}

type RequestRow = Omit<Of<"request">, "kind" | "date">;
type LogRow = {
	readonly id: string;
	readonly drivenOn: CalendarDate;
	readonly endMiles: number;
	readonly createdAt: number;
	readonly miles: number;
	readonly voidedAt: number | null;
	readonly reason?: string | null;
};

/**
 * Both lists as one, the newest date first; on one date the requests, then the trips, each in its own list's order.
 * @param requests the newest moment first
 * @param logs the latest date first, on one date the highest reading first, of those that end alike the one recorded last
 * @param timeZone the fleet's
 */
export function merged(requests: readonly RequestRow[], logs: readonly LogRow[], timeZone: string, limit: number): HistoryItem[] {
	const items: HistoryItem[] = [];
	const asked = requests.map((row) => ({ ...row, kind: "request" as const, date: dateIn(timeZone, row.createdAt) }));
	for (let [request, log] = [0, 0]; items.length < limit; ) {
		const nextRequest = asked[request];
		const nextLog = logs[log];
		if (nextRequest && !(nextLog && nextLog.drivenOn > nextRequest.date)) {
			items.push(nextRequest);
			request += 1;
		} else if (nextLog) {
			const { id, drivenOn, endMiles, createdAt, miles, voidedAt, reason } = nextLog;
			items.push({ kind: "mileage", id, date: drivenOn, endMiles, createdAt, miles, isVoided: voidedAt !== null, reason: reason ?? null });
			log += 1;
		} else break;
	}
	return items;
}

/** What a line is, in the words of docs/product.md §2. */
export function wordsOf(item: HistoryItem) {
	if (item.kind === "request")
		return {
			type: "Fund Request",
			description: `${item.type} request`,
			status: STATUS_LABELS[item.status],
			tone: STATUS_TONES[item.status],
		};
	return {
		type: "Mileage Log",
		description: "Daily route logging",
		status: item.isVoided ? "Voided" : "Logged",
		tone: item.isVoided ? ("quiet" as const) : ("info" as const),
	};
}
