/** What a fund request and a decision must contain, with which words (docs/product.md §5). */
import * as v from "valibot";
import {
	hasForbiddenCharacter,
	hasReorderingCharacter,
	optionalRowId,
	optionalText,
	requiredText,
	rowId,
	submissionKey,
} from "../../values/fields.ts";
import { amount } from "../../values/money-input.ts";
import { MESSAGE_FIELDS, REQUEST_FIELDS } from "./fields.ts";
import { MAX_BULK_SIZE, REJECTION_REASONS, REQUEST_TYPES, rejectionNote } from "./rules.ts";

/** A receipt as JSON names it: a file of ours, or a bare file name. */
export type ReceiptReference =
	| { readonly kind: "file"; readonly id: string }
	| { readonly kind: "name"; readonly name: string };

/** What a receipt is called on the wire. */
export const receiptUrlOf = (id: string) => `/api/receipts/${id}`;
const FILE = /^\/api\/receipts\/([0-9a-f-]{36})$/;

/** What a `receiptUrl` names; `undefined` for any address that is not ours. */
export function receiptReference(text: string): ReceiptReference | undefined {
	const file = FILE.exec(text)?.[1];
	if (file) return { kind: "file", id: file };
	const isBareName =
		text.length <= 200 &&
		!/[/\\:]/.test(text) &&
		!hasForbiddenCharacter(text) &&
		!hasReorderingCharacter(text);
	return isBareName ? { kind: "name", name: text } : undefined;
}

const NO_RECEIPT = "none";
const receiptUrl = v.optional(
	v.pipe(
		v.string(),
		v.trim(),
		// A client may send an empty name when no file was chosen.
		v.transform((text) => (text === "" ? NO_RECEIPT : receiptReference(text))),
		v.custom<ReceiptReference | typeof NO_RECEIPT>(
			(reference) => reference !== undefined,
			"receiptUrl must be /api/receipts/{id} or a bare file name",
		),
		v.transform((reference) => (reference === NO_RECEIPT ? undefined : reference)),
	),
);

/** A request as the form and the call send it. */
export const submitRequestInput = v.object({
	type: v.pipe(
		v.optional(v.string(), ""),
		v.trim(),
		v.nonEmpty(REQUEST_FIELDS.type.missing),
		v.picklist(REQUEST_TYPES, "Choose one of the request types"),
	),
	amount,
	description: requiredText(REQUEST_FIELDS.description.missing, 2000),
	receiptUrl,
	key: submissionKey,
	/** The fingerprint of what the form has asked about and the driver confirms. */
	confirm: optionalText(64),
	/** The pending request this one replaces. */
	replacesId: optionalRowId,
});
export type SubmitRequest = v.InferOutput<typeof submitRequestInput>;

/** The longest note of a decision, characters. */
const LONGEST_NOTE = 2000;

/** A decision. */
export const processRequestInput = v.object({
	status: v.pipe(
		v.optional(v.string(), ""),
		v.picklist(["approved", "rejected"], "status must be approved or rejected"),
	),
	/** Absent for an approval in full. */
	approvedAmount: v.optional(amount),
	adminNotes: optionalText(LONGEST_NOTE),
});
export type ProcessRequest = v.InferOutput<typeof processRequestInput>;

/** A decision as its dialog sends it: a rejection may have a ready reason before its note. */
export const decisionForm = v.pipe(
	v.object({
		id: rowId,
		...processRequestInput.entries,
		reason: v.optional(v.pipe(v.string(), v.picklist(REJECTION_REASONS, "Choose a reason"))),
	}),
	v.forward(
		v.partialCheck(
			[["reason"], ["adminNotes"]],
			({ reason, adminNotes }) => (rejectionNote(reason, adminNotes) ?? "").length <= LONGEST_NOTE,
			`Use ${LONGEST_NOTE} characters or fewer, including the reason`,
		),
		["adminNotes"],
	),
);

/** A question about a request, or its driver's answer. */
export const messageInput = v.object({
	text: requiredText(MESSAGE_FIELDS.text.missing, 1000),
	key: submissionKey,
});
export type MessageInput = v.InferOutput<typeof messageInput>;

/** An answer as its form sends it; words may be missing where the receipt comes along. */
export const answerForm = v.object({
	requestId: rowId,
	text: optionalText(1000),
	key: submissionKey,
});
export type AnswerForm = v.InferOutput<typeof answerForm>;

/** A question as its dialog sends it. */
export const questionForm = v.object({ id: rowId, ...messageInput.entries });

/** What the call does to a request: decides it, or reopens it. */
export const changeRequestInput = v.pipe(
	v.object({
		...processRequestInput.entries,
		status: v.pipe(
			v.optional(v.string(), ""),
			v.picklist(
				["approved", "rejected", "pending"],
				"status must be approved, rejected or pending",
			),
		),
	}),
	v.forward(
		v.partialCheck(
			[["status"], ["approvedAmount"]],
			({ status, approvedAmount }) => status === "approved" || approvedAmount === undefined,
			"approvedAmount goes with the status approved",
		),
		["approvedAmount"],
	),
);

/** A request that is reopened, with what its driver reads about it. */
export const reopenRequestInput = v.object({
	id: rowId,
	adminNotes: processRequestInput.entries.adminNotes,
});

/** The request a row's form names. */
export const requestIdInput = v.object({ id: rowId });

/** The ids of ticked boxes: one to a field or several with spaces between them, each once. */
export const tickedIds = v.pipe(
	v.array(v.unknown()),
	v.transform((fields) =>
		fields.flatMap((text) => (typeof text === "string" ? text.split(" ") : [])),
	),
	v.transform((ids) => [...new Set(ids.filter((id) => id !== ""))]),
);

/**
 * The requests that a bulk approval names. Ids of nothing are taken: they are told of, not refused.
 */
export const bulkApprovalInput = v.object({
	ids: v.pipe(
		tickedIds,
		v.nonEmpty("Please select requests to approve"),
		v.maxLength(MAX_BULK_SIZE, `At most ${MAX_BULK_SIZE} requests at once.`),
	),
});
