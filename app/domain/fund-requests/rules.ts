/** The texts and limits of fund requests (docs/product.md §2, §4, 'Fund requests and receipts'). */
import type { REQUEST_STATUSES, REQUEST_TYPES as STORED_TYPES } from "../../db/schema.ts";
import { addDays, type CalendarDate } from "../../values/calendar-date.ts";
import { formatReceivedAt } from "../../values/captured.ts";
import { formatDollars } from "../../values/money.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";

export type RequestType = (typeof STORED_TYPES)[number];
export const REQUEST_TYPES = [
	"gas",
	"maintenance",
	"other",
] as const satisfies readonly RequestType[];
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** A type's label in the driver's form. */
export const TYPE_LABELS: Readonly<Record<RequestType, string>> = {
	gas: "Gas/Fuel",
	maintenance: "Vehicle Maintenance",
	other: "Other",
};
/** A type's label in the administrators' list (docs/product.md §2). */
export const SHORT_TYPE_LABELS: Readonly<Record<RequestType, string>> = {
	gas: "Gas/Fuel",
	maintenance: "Maintenance",
	other: "Other",
};
/** The most common requests, each with its type and description. */
export const COMMON_REQUESTS: readonly {
	readonly type: RequestType;
	readonly description: string;
}[] = [
	{ type: "gas", description: "Gas" },
	{ type: "maintenance", description: "Oil change" },
	{ type: "maintenance", description: "Tires" },
	{ type: "other", description: "Car wash" },
	{ type: "other", description: "Parking" },
	{ type: "other", description: "Tolls" },
];
/** A status's label and color: approved green, pending amber, rejected red. */
export const STATUS_LABELS: Readonly<Record<RequestStatus, string>> = {
	pending: "Pending",
	approved: "Approved",
	rejected: "Rejected",
	withdrawn: "Withdrawn",
};
export const STATUS_TONES = {
	pending: "wait",
	approved: "good",
	rejected: "bad",
	withdrawn: "quiet",
} as const satisfies Record<RequestStatus, string>;

/** Requests above this without a receipt are flagged, in cents: $75. */
export const RECEIPT_EXPECTED_ABOVE_CENTS = 7500;
/** How many days before today a driver may have spent what they ask for. */
export const MAX_SPENT_DAYS = 366;
/** A request is late if it was made more than this many days after the money was spent. */
const LATE_AFTER_DAYS = 60;
export const LATE = "Late";

/** Whether a request was made long after the money was spent. */
export const isLateRequest = ({
	spentOn,
	requestedOn,
}: {
	readonly spentOn: CalendarDate | null;
	readonly requestedOn: CalendarDate;
}): boolean => spentOn !== null && requestedOn > addDays(spentOn, LATE_AFTER_DAYS);

/** The flag of fuel asked for by a driver whose agreement pays their miles, fuel included. */
export const PAID_BY_MILE = "Paid by the mile";

/** The ready-made reasons for a rejection. */
export const REJECTION_REASONS = [
	"Receipt unreadable",
	"Not a fleet expense",
	"Duplicate",
	"Personal use",
] as const;

/** The note of a rejection: the chosen reason, then the text. */
export const rejectionNote = (reason: string | undefined, note: string | undefined) =>
	reason && note ? `${reason}. ${note}` : (reason ?? note);

/** The maximum number of requests in a bulk decision. */
export const MAX_BULK_SIZE = 500;

/** A request's amounts. */
type Amounts = {
	readonly amountCents: number;
	readonly approvedAmountCents: number | null;
};

/** A request's effective amount: the approved one, or else the requested one. */
export const effectiveAmount = ({ amountCents, approvedAmountCents }: Amounts): number =>
	approvedAmountCents ?? amountCents;

/** `asked $42.10`, for a request approved for less. */
export const askedNote = (amounts: Amounts): string | undefined =>
	effectiveAmount(amounts) === amounts.amountCents
		? undefined
		: `asked ${formatDollars(amounts.amountCents)}`;

/** The request number: `FR-000001`, with more digits past 999999. */
export function requestNumber(number: number): string {
	return `FR-${String(number).padStart(6, "0")}`;
}

/** The URL of a request for administrators. */
export const requestPath = (number: number) => `/fund-requests?open=${requestNumber(number)}`;

/** How a resent request is described: `FR-000123, 2:02 PM`. */
export function describeRequest(
	request: { readonly number: number; readonly createdAt: number },
	{ timeZone, today }: { readonly timeZone: string; readonly today: CalendarDate },
): string {
	return `${requestNumber(request.number)}, ${formatReceivedAt(timeZone, request.createdAt, today)}`;
}

/** Whether the administrator who decided can still undo it. */
export function isUndoable(
	request: { readonly decidedAt: number | null; readonly decidedBy: string | null },
	adminId: string,
	now: number,
): boolean {
	return (
		request.decidedBy === adminId &&
		request.decidedAt !== null &&
		now - request.decidedAt < UNDO_WINDOW_MS
	);
}

/** Replaces the name of a receipt that was erased with its driver's personal data. */
export const REMOVED_RECEIPT = "Receipt removed";
