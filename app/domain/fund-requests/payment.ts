/** A request's payout: its number and status, in words and in JSON. */
import type { PAYOUT_STATUSES } from "../../db/schema.ts";
import { type CalendarDate, formatRecentDay } from "../../values/calendar-date.ts";

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** The payout number: `PO-000001`, with more digits past 999999. */
export function payoutNumber(number: number): string {
	return `PO-${String(number).padStart(6, "0")}`;
}

/** A request's payout, as every read of requests selects it. */
export type PayoutOfRequest = {
	readonly id: string;
	readonly number: number;
	readonly status: PayoutStatus;
	readonly paidOn: CalendarDate | null;
};

/**
 * `Paid Nov 24`, for a request in a paid payout; with the year if it isn't this one.
 * @param today in the fleet's time zone
 */
export const describePaid = (
	payout: PayoutOfRequest | null,
	today: CalendarDate,
): string | undefined =>
	payout?.status === "paid" && payout.paidOn !== null
		? `Paid ${formatRecentDay(payout.paidOn, today)}`
		: undefined;

/** With the payout: `Paid Nov 24 · PO-000012`. */
export function describePayment(
	payout: PayoutOfRequest | null,
	today: CalendarDate,
): string | undefined {
	const paid = describePaid(payout, today);
	return payout === null || paid === undefined
		? undefined
		: `${paid} · ${payoutNumber(payout.number)}`;
}

/** A request's payout, in the request's JSON. */
export const payoutOfRequestJson = (payout: PayoutOfRequest | null) =>
	payout && {
		id: payout.id,
		number: payoutNumber(payout.number),
		status: payout.status,
		paidOn: payout.paidOn,
	};
