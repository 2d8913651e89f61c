/** The texts and limits of payouts (docs/product.md, 'Payouts'). */
import { pluralize } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";
import type { PayoutStatus } from "../fund-requests/payment.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";

export const PAYOUT_STATUSES = [
	"open",
	"paid",
	"cancelled",
] as const satisfies readonly PayoutStatus[];
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

/** What a driver is approved for and hasn't been paid, also in open payouts: `$287.56 in 3 requests`. */
export function describeOwed(
	totals:
		| Readonly<Record<"readyCents" | "openCents" | "readyRequests" | "openRequests", number>>
		| undefined,
): string | undefined {
	if (!totals) return undefined;
	const requests = totals.readyRequests + totals.openRequests;
	if (requests === 0) return undefined;
	return `${formatDollars(totals.readyCents + totals.openCents)} in ${pluralize(requests, "request")}`;
}
