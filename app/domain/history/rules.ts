/** A driver's history: its order and its texts (docs/product.md §2, §9). */
import type { fundRequests, mileageLogs } from "../../db/schema.ts";
import { type CalendarDate, dateIn } from "../../values/calendar-date.ts";
import { describePayment, type PayoutOfRequest } from "../fund-requests/payment.ts";
import type { REQUEST } from "../fund-requests/record.ts";
import { STATUS_LABELS, STATUS_TONES } from "../fund-requests/rules.ts";
import type { In } from "../kernel/record.ts";
import type { TRIP } from "../mileage/record.ts";

type FundRequest = typeof fundRequests.$inferSelect;
type MileageLog = typeof mileageLogs.$inferSelect;

/**
 * One line of the history. A trip has a calendar date and no time of day; a request's date is that
 * of its moment in the fleet's time zone.
 */
export type HistoryItem =
	| (RequestRow & { readonly kind: "request"; readonly date: CalendarDate })
	| (LogRow & {
			readonly kind: "mileage";
			readonly date: CalendarDate;
			readonly isVoided: boolean;
	  });

type RequestRow = Pick<FundRequest, In<typeof REQUEST, "history">> & {
	/** The live payout it belongs to. */
	readonly payout: PayoutOfRequest | null;
};
type LogRow = Pick<MileageLog, In<typeof TRIP, "history">> & {
	/** Why an administrator voided it. */
	readonly reason?: string | null;
};

/**
 * Merges both lists, newest date first; on one date the requests, then the trips, each in its own
 * list's order.
 * @param requests newest first
 * @param logs latest date first, then highest reading, then last recorded
 * @param timeZone the fleet's
 * @param isBackwards both lists, and the result, are in reverse order
 */
export function mergeHistory(
	requests: readonly RequestRow[],
	logs: readonly LogRow[],
	timeZone: string,
	limit: number,
	isBackwards = false,
): HistoryItem[] {
	const items: HistoryItem[] = [];
	const asked = requests.map((row) => ({
		...row,
		kind: "request" as const,
		date: dateIn(timeZone, row.createdAt),
	}));
	for (let [request, log] = [0, 0]; items.length < limit; ) {
		const nextRequest = asked[request];
		const nextLog = logs[log];
		const isLogFirst =
			nextLog !== undefined &&
			(isBackwards
				? nextLog.drivenOn <= (nextRequest?.date ?? nextLog.drivenOn)
				: nextLog.drivenOn > (nextRequest?.date ?? ""));
		if (nextRequest && !isLogFirst) {
			items.push(nextRequest);
			request += 1;
		} else if (nextLog) {
			items.push({
				...nextLog,
				kind: "mileage",
				date: nextLog.drivenOn,
				isVoided: nextLog.voidedAt !== null,
			});
			log += 1;
		} else break;
	}
	return items;
}

/** A line's description, in the words of docs/product.md §2. */
export function describeItem(item: HistoryItem) {
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

/**
 * `Paid Nov 24 · PO-000012` for a request that was paid.
 * @param today in the fleet's zone
 */
export const paymentOf = (item: HistoryItem, today: CalendarDate): string | undefined =>
	item.kind === "request" ? describePayment(item.payout, today) : undefined;
