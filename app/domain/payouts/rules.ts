/** The texts and limits of payouts (docs/product.md, 'Payouts'). */
import type { PAYOUT_STATUSES } from "../../db/schema.ts";
import { type CalendarDate, formatDate, formatDay } from "../../values/calendar-date.ts";
import { UNDO_WINDOW_MS } from "../undo-window.ts";

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
export const STATUS_LABELS: Readonly<Record<PayoutStatus, string>> = {
	open: "Open",
	paid: "Paid",
	cancelled: "Canceled",
};
export const STATUS_TONES = {
	open: "wait",
	paid: "good",
	cancelled: "quiet",
} as const satisfies Record<PayoutStatus, string>;

/** The maximum number of requests in a payout. */
export const MAX_REQUESTS = 500;

/** The payout number: `PO-000001`, with more digits past 999999. */
export function payoutNumber(number: number): string {
	return `PO-${String(number).padStart(6, "0")}`;
}

/** Whether the administrator who marked a payout as paid can still undo that silently. */
export function isUndoable(
	payout: { readonly paidAt: number | null; readonly paidBy: string | null },
	adminId: string,
	now: number,
): boolean {
	return (
		payout.paidBy === adminId && payout.paidAt !== null && now - payout.paidAt < UNDO_WINDOW_MS
	);
}

/** A request's payout, as every read of requests selects it. */
export type PayoutOfRequest = {
	readonly id: string;
	readonly number: number;
	readonly status: PayoutStatus;
	readonly paidOn: CalendarDate | null;
};

/**
 * `Paid Nov 24 · PO-000012`, for a request in a paid payout; with the year if it isn't this one.
 * @param today in the fleet's time zone
 */
export function describePayment(
	payout: PayoutOfRequest | null,
	today: CalendarDate,
): string | undefined {
	if (payout?.status !== "paid" || payout.paidOn === null) return undefined;
	const { number, paidOn } = payout;
	const isThisYear = paidOn.slice(0, 4) === today.slice(0, 4);
	const day = isThisYear ? formatDay(paidOn) : formatDate(paidOn);
	return `Paid ${day} · ${payoutNumber(number)}`;
}
