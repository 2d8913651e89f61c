/**
 * The messages when a request isn't submitted, withdrawn or decided, or doesn't get its receipt.
 */
import { KEY_REUSED, SENT_WITH_OTHER_VALUES } from "../../values/fields.ts";
import { formatDollars } from "../../values/money.ts";
import { type Answers, answersIn, type ReasonsOf } from "../kernel/refusal-table.ts";
import { threadRefusals } from "../messages/refusals.ts";
import { REFUSALS, whyNotStored } from "../receipts/refusals.ts";
import type { ReceiptNotAllowed } from "../receipts/upload.server.ts";
import type { AddReceiptRefusal } from "./commands/add-receipt.server.ts";
import type { DecisionRefusal } from "./commands/decision.server.ts";
import type { MessageRefusal } from "./commands/message.server.ts";
import type { ReopenRefusal } from "./commands/reopen.server.ts";
import type { AnswerRefusal, UnstoredReceipt } from "./commands/send-answer.server.ts";
import type { SubmitRefusal } from "./commands/submit.server.ts";
import type { UndoRefusal } from "./commands/undo.server.ts";
import type { WithdrawRefusal } from "./commands/withdraw.server.ts";
import { ANSWER_FIELDS } from "./fields.ts";
import type { RequestWithPeople } from "./json.ts";
import { payoutNumber } from "./payment.ts";
import { requestNumber } from "./rules.ts";
import { describeStatus, ownRequestMessage } from "./status-messages.ts";

type Reader = { readonly timeZone: string };

const NOT_YOURS = { status: 404, message: "You have no request by that ID." } as const;
const NO_SUCH_REQUEST = {
	status: 404,
	message: "Fund request not found",
	onForm: { message: "Fund request not found." },
} as const;
const NOT_TO_REPLACE =
	"This request has been decided or withdrawn since, so it can no longer be corrected.";
const NO_SUCH_RECEIPT = "The receipt sent with this form is no longer available. Choose it again.";

export const whyNotSubmitted = answersIn<ReasonsOf<SubmitRefusal>>({
	"key-reused": ({ number }) => ({
		status: 422,
		message: KEY_REUSED,
		onForm: {
			status: 409,
			message: `You already sent this form with other values, as ${requestNumber(number)}. Select Submit Request to send this one too.`,
		},
		onPhone: { status: 409, message: SENT_WITH_OTHER_VALUES },
	}),
	"too-many": () => ({
		status: 429,
		message: "You've sent too many requests in the last hour. Try again later.",
		retryAfter: 600,
	}),
	"no-such-receipt": () => ({
		status: 400,
		message: "receiptUrl must name a receipt of yours that belongs to no other request",
		field: "receiptUrl",
		onForm: { message: NO_SUCH_RECEIPT },
		onPhone: { status: 409, message: NO_SUCH_RECEIPT, field: undefined },
	}),
	"not-to-replace": () => ({
		status: 409,
		message: NOT_TO_REPLACE,
		onForm: { message: `${NOT_TO_REPLACE} Select Submit Request to send this as a new request.` },
		onPhone: {
			message: `${NOT_TO_REPLACE} Send it again as a new request.`,
			reason: "nothing-to-amend",
		},
	}),
	// Only a form asks, and says what pressing the button again does.
	"ask-again": ({ minutes }) => ({
		status: 409,
		message: duplicateQuestion(minutes),
	}),
});

/** The form's question: `in the last 10 minutes`. */
const duplicateQuestion = (minutes: number) =>
	`You sent a request with the same type, amount and description in the last ${minutes === 1 ? "minute" : `${minutes} minutes`}.`;

export const whyNotWithdrawn = answersIn<ReasonsOf<WithdrawRefusal>>({
	"not-found": () => NOT_YOURS,
	"not-pending": ({ number, status }) => ({
		status: 409,
		message: `${requestNumber(number)} is already ${status}.`,
	}),
});

type Unfit = Extract<AddReceiptRefusal, { readonly reason: "not-pending" }>["details"];
/** Why a receipt can't be added; never reveals another driver's request. */
const unfit = (request: Pick<Unfit, "number" | "status" | "receiptId"> | undefined) => {
	if (!request) return NOT_YOURS;
	const why = request.receiptId ? "has a receipt already" : `is already ${request.status}`;
	return { status: 409, message: `${requestNumber(request.number)} ${why}.` } as const;
};

export const whyNoReceiptAdded = answersIn<ReasonsOf<AddReceiptRefusal | ReceiptNotAllowed>>({
	"not-found": () => NOT_YOURS,
	"not-pending": unfit,
	unwanted: ({ request }) => unfit(request),
	quota: ({ words }) => ({ status: 429, message: REFUSALS[words] }),
});

export const whyNotDecided = answersIn<ReasonsOf<DecisionRefusal>>({
	"not-found": () => NO_SUCH_REQUEST,
	own: ({ request }) => ({
		status: 409,
		message: ownRequestMessage(requestNumber(request.number)),
	}),
	lost: (request, { timeZone }) => ({ status: 409, message: describeStatus(request, timeZone) }),
	"above-asked": ({ request }) => ({
		status: 400,
		message: `Enter at most the ${formatDollars(request.amountCents)} requested`,
		field: "approvedAmount",
	}),
	unexplained: ({ request }) => ({
		status: 400,
		message: `Give the reason for approving less than the ${formatDollars(request.amountCents)} requested`,
		field: "adminNotes",
	}),
});

/** A payout has to be undone first. */
const inPayoutRefusal = ({ request, payout }: RequestWithPeople) =>
	({
		status: 409,
		message: `${requestNumber(request.number)} is in ${payoutNumber(payout?.number ?? 0)}. Its decision is final while it's there.`,
	}) as const;

const DECIDED_SINCE = {
	status: 409,
	message: "The decision has changed since this page was opened. Nothing was undone.",
} as const;

export const whyNotUndone = answersIn<ReasonsOf<UndoRefusal>>({
	"not-found": () => NO_SUCH_REQUEST,
	"not-to-undo": () => ({
		status: 409,
		message: "A decision can be undone for 10 minutes, by the administrator who made it.",
	}),
	"decided-since": () => DECIDED_SINCE,
	"in-payout": inPayoutRefusal,
});

export const whyNotReopened = answersIn<ReasonsOf<ReopenRefusal>>({
	"not-found": () => NO_SUCH_REQUEST,
	"in-payout": inPayoutRefusal,
	"decided-since": () => DECIDED_SINCE,
	own: ({ request }) => ({
		status: 409,
		message: ownRequestMessage(requestNumber(request.number)),
	}),
	pseudonymized: ({ request }) => ({
		status: 409,
		message: `${requestNumber(request.number)} is a pseudonymized driver's, so its decision is final.`,
	}),
	"not-decided": (request, { timeZone }) => ({
		status: 409,
		message: describeStatus(request, timeZone),
	}),
});

/** Both sides write into a thread, and get the same status for the same reason. */
const MESSAGE_REFUSALS = {
	...threadRefusals(requestNumber),
	own: ({ request }: RequestWithPeople): Answers => ({
		status: 409,
		message: ownRequestMessage(requestNumber(request.number)),
	}),
	"no-question": ({ request }: RequestWithPeople): Answers => ({
		status: 409,
		message: `No one has asked about ${requestNumber(request.number)}. Only an administrator can start a conversation.`,
	}),
};

export const whyNotAsked = answersIn<ReasonsOf<MessageRefusal>>({
	...MESSAGE_REFUSALS,
	"not-found": () => NO_SUCH_REQUEST,
	"not-pending": (request, { timeZone }) => ({
		status: 409,
		message: describeStatus(request, timeZone),
	}),
});

export const whyNotAnswered = answersIn<ReasonsOf<MessageRefusal>>({
	...MESSAGE_REFUSALS,
	"not-found": () => NOT_YOURS,
	"not-pending": ({ request }) => ({
		status: 409,
		message: `${requestNumber(request.number)} is already ${request.status}.`,
	}),
});

/** Why an answer wasn't sent. */
export const whyNotSent = (refusal: AnswerRefusal, reader: Reader): Answers => {
	switch (refusal.reason) {
		case "empty":
			return { status: 400, message: ANSWER_FIELDS.text.missing, field: "text" };
		case "only-receipt": {
			const decided = whyNotAnswered({ reason: "not-pending", details: refusal.details }, reader);
			return { ...decided, message: `${decided.message} The receipt was added, the text wasn't.` };
		}
		case "not-pending":
			// Either the text or the receipt was refused; only the first knows the request's people.
			return "request" in refusal.details
				? whyNotAnswered({ reason: "not-pending", details: refusal.details }, reader)
				: whyNoReceiptAdded({ reason: "not-pending", details: refusal.details }, reader);
		case "own":
		case "no-question":
		case "full":
		case "too-many":
		case "key-reused":
		case "not-found":
			return whyNotAnswered(refusal, reader);
		default:
			return whyNoReceipt(refusal, reader);
	}
};

/** Why the receipt of an answer isn't on its request. */
export const whyNoReceipt = (refusal: UnstoredReceipt, reader: Reader): Answers => {
	switch (refusal.reason) {
		case "quota":
			// The outbox keeps a form that is answered 429, and its driver wouldn't see why.
			return { ...whyNotStored(refusal, reader), field: "receipt", onForm: { status: 409 } };
		case "not-found":
		case "not-pending":
		case "unwanted":
			return { ...whyNoReceiptAdded(refusal, reader), field: "receipt" };
		default:
			return { ...whyNotStored(refusal, reader), field: "receipt" };
	}
};
