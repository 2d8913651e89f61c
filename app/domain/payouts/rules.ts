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

/** The files of a payout that an accounting program imports. */
export const BILL_FORMATS = ["xero", "quickbooks"] as const;

/** The maximum number of requests and settlements in a payout. */
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

/** How many of each kind: `3 requests and 1 settlement`; without settlements only the requests. */
export function countParts({
	requests,
	settlements,
}: {
	readonly requests: number;
	readonly settlements: number;
}): string {
	const weeks = pluralize(settlements, "settlement");
	if (settlements === 0) return pluralize(requests, "request");
	return requests === 0 ? weeks : `${pluralize(requests, "request")} and ${weeks}`;
}

type Standing = "ready" | "open" | "paid";
/** Sums of requests and settlements by where they are, as the totals have them. */
export type PayoutTotals = Readonly<
	Record<`${Standing}${"Cents" | "Requests" | "SettledCents" | "Settlements"}`, number>
>;

/** The sum and counts of both kinds in one place. */
export const standingOf = (totals: PayoutTotals | undefined, where: Standing) => ({
	cents: (totals?.[`${where}Cents`] ?? 0) + (totals?.[`${where}SettledCents`] ?? 0),
	requests: totals?.[`${where}Requests`] ?? 0,
	settlements: totals?.[`${where}Settlements`] ?? 0,
});

/** What hasn't been paid, in no payout or in an open one. */
export function unpaidOf(totals: PayoutTotals | undefined) {
	const [ready, open] = [standingOf(totals, "ready"), standingOf(totals, "open")];
	return {
		cents: ready.cents + open.cents,
		requests: ready.requests + open.requests,
		settlements: ready.settlements + open.settlements,
		openCents: open.cents,
	};
}

/** What a driver is owed and hasn't been paid, also in open payouts: `$287.56 in 3 requests`. */
export function describeOwed(totals: PayoutTotals | undefined): string | undefined {
	const { cents, ...parts } = unpaidOf(totals);
	if (parts.requests + parts.settlements === 0) return undefined;
	return `${formatDollars(cents)} in ${countParts(parts)}`;
}
