/** The words and limits of fund requests (docs/product.md §2, §4, 'Fund requests and receipts'). */
import type {
	MESSAGE_ROLES,
	QUESTION_STATES,
	REQUEST_STATUSES,
	REQUEST_TYPES as STORED_TYPES,
} from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { formatReceivedAt } from "../../values/captured.ts";
import { formatDollars } from "../../values/money.ts";

export type RequestType = (typeof STORED_TYPES)[number];
export const REQUEST_TYPES = [
	"gas",
	"maintenance",
	"other",
] as const satisfies readonly RequestType[];
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** What the driver's form calls a type. */
export const TYPE_LABELS: Readonly<Record<RequestType, string>> = {
	gas: "Gas/Fuel",
	maintenance: "Vehicle Maintenance",
	other: "Other",
};
/** What the administrator's list calls a type (docs/product.md §2). */
export const SHORT_TYPE_LABELS: Readonly<Record<RequestType, string>> = {
	gas: "Gas/Fuel",
	maintenance: "Maintenance",
	other: "Other",
};
/** What drivers ask for most, each as the type and the description of a request. */
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
/** What a status is called, and its color: approved green, pending amber, rejected red. */
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

/** Whose turn it is in the thread of a request: its driver's once somebody has asked. */
export type QuestionState = (typeof QUESTION_STATES)[number];
export const QUESTION_FILTERS = ["asked", "answered"] as const satisfies readonly QuestionState[];
/** What the badge of a pending request says, and its color. */
export const QUESTION_LABELS: Readonly<Record<QuestionState, string>> = {
	asked: "Question",
	answered: "Answered",
};
export const QUESTION_TONES = { asked: "wait", answered: "info" } as const satisfies Record<
	QuestionState,
	string
>;

/** A message of a request's thread, with who wrote it. */
export type ThreadMessage = {
	readonly id: string;
	/** 1 for the question that opened the thread. */
	readonly position: number;
	readonly authorRole: (typeof MESSAGE_ROLES)[number];
	readonly firstName: string;
	readonly lastName: string;
	readonly text: string;
	/** UTC milliseconds. */
	readonly createdAt: number;
};

/** Messages that a request's thread may have. */
export const MAX_MESSAGES = 50;
/** Messages that a driver may send in an hour. */
export const MAX_MESSAGES_PER_HOUR = 60;

/**
 * Milliseconds in which the deciding administrator can undo a decision; its email waits as long: 10
 * minutes.
 */
export const UNDO_WINDOW_MS = 600_000;
/** Requests a driver may send in an hour. */
export const MAX_PER_HOUR = 60;
/** A request above this without a receipt is flagged for the administrator, cents: $75. */
export const RECEIPT_EXPECTED_ABOVE_CENTS = 7500;
/** What a rejection can say at one click. */
export const REJECTION_REASONS = [
	"Receipt unreadable",
	"Not a fleet expense",
	"Duplicate",
	"Personal use",
] as const;

/** What the driver reads of a rejection: the chosen reason, then the note. */
export const rejectionNote = (reason: string | undefined, note: string | undefined) =>
	reason && note ? `${reason}. ${note}` : (reason ?? note);

/** Requests that one bulk decision may name. */
export const MAX_BULK_SIZE = 500;

/** What a request is worth, in its two amounts. */
type Amounts = {
	readonly amountCents: number;
	readonly approvedAmountCents: number | null;
};

/** What a request comes to: the approved amount once there is one, else what was asked. */
export const effectiveAmount = ({ amountCents, approvedAmountCents }: Amounts): number =>
	approvedAmountCents ?? amountCents;

/** `asked $42.10`, for a request that was approved for less. */
export const askedNote = (amounts: Amounts): string | undefined =>
	effectiveAmount(amounts) === amounts.amountCents
		? undefined
		: `asked ${formatDollars(amounts.amountCents)}`;

/** The number people see: `FR-000001`; past 999999 it simply grows. */
export function requestNumber(number: number): string {
	return `FR-${String(number).padStart(6, "0")}`;
}

/** Where an administrator finds a request. */
export const requestPath = (number: number) => `/fund-requests?open=${requestNumber(number)}`;

/** What a request that was sent again is called: `FR-000123, 14:02`. */
export function describeRequest(
	request: { readonly number: number; readonly createdAt: number },
	{ timeZone, today }: { readonly timeZone: string; readonly today: CalendarDate },
): string {
	return `${requestNumber(request.number)}, ${formatReceivedAt(timeZone, request.createdAt, today)}`;
}

/** True while the administrator who decided can still undo it. */
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

/** In place of the name of a receipt that went with its driver's personal data. */
export const REMOVED_RECEIPT = "Receipt removed";
