/** The payloads of fund requests and decisions (docs/product.md §5). */
import * as v from "valibot";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { optionalPastDate } from "../../values/date-input.ts";
import {
	hasForbiddenCharacter,
	hasReorderingCharacter,
	optionalRowId,
	optionalText,
	type Parsed,
	requiredText,
	rowId,
	submissionKey,
} from "../../values/fields.ts";
import { amount } from "../../values/money-input.ts";
import { messageInput } from "../messages/input.ts";
import { REQUEST_FIELDS } from "./fields.ts";
import {
	MAX_BULK_SIZE,
	MAX_SPENT_DAYS,
	REJECTION_REASONS,
	REQUEST_TYPES,
	rejectionNote,
} from "./rules.ts";

/** A receipt in JSON: a file of ours, or a bare file name. */
export type ReceiptReference =
	| { readonly kind: "file"; readonly id: string }
	| { readonly kind: "name"; readonly name: string };

/** A receipt's `receiptUrl`. */
export const receiptUrlOf = (id: string) => `/api/receipts/${id}`;
const FILE = /^\/api\/receipts\/([0-9a-f-]{36})$/;

/** What a `receiptUrl` refers to; `undefined` for any URL that isn't ours. */
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

/**
 * A request from a form or JSON.
 * @param today in the fleet's time zone
 */
export const submitRequestInput = (today: CalendarDate) =>
	v.object({
		type: v.pipe(
			v.optional(v.string(), ""),
			v.trim(),
			v.nonEmpty(REQUEST_FIELDS.type.missing),
			v.picklist(REQUEST_TYPES, "Choose one of the request types"),
		),
		amount,
		description: requiredText(REQUEST_FIELDS.description.missing, 2000),
		spentOn: optionalPastDate(today, MAX_SPENT_DAYS),
		receiptUrl,
		key: submissionKey,
		/** The fingerprint of what the form asked about and the driver confirms. */
		confirm: optionalText(64),
		/** The pending request this one replaces. */
		replacesId: optionalRowId,
	});
export type SubmitRequest = Parsed<ReturnType<typeof submitRequestInput>>;

/** The maximum length of a decision's note, in characters. */
const MAX_NOTE_LENGTH = 2000;

/** A decision. */
export const processRequestInput = v.object({
	status: v.pipe(
		v.optional(v.string(), ""),
		v.picklist(["approved", "rejected"], "status must be approved or rejected"),
	),
	/** Absent for an approval in full. */
	approvedAmount: v.optional(amount),
	adminNotes: optionalText(MAX_NOTE_LENGTH),
});
export type ProcessRequest = v.InferOutput<typeof processRequestInput>;

/** A decision from its dialog: a rejection may have a ready-made reason before its note. */
export const decisionForm = v.pipe(
	v.object({
		id: rowId,
		...processRequestInput.entries,
		reason: v.optional(v.pipe(v.string(), v.picklist(REJECTION_REASONS, "Choose a reason"))),
	}),
	v.forward(
		v.partialCheck(
			[["reason"], ["adminNotes"]],
			({ reason, adminNotes }) =>
				(rejectionNote(reason, adminNotes) ?? "").length <= MAX_NOTE_LENGTH,
			`Use ${MAX_NOTE_LENGTH} characters or fewer, including the reason`,
		),
		["adminNotes"],
	),
);

/** An answer from its form; the text is optional if the receipt is included. */
export const answerForm = v.object({
	requestId: rowId,
	text: optionalText(1000),
	key: submissionKey,
});
export type AnswerForm = v.InferOutput<typeof answerForm>;

/** A question from its dialog. */
export const questionForm = v.object({ id: rowId, ...messageInput.entries });

/** What a PUT does to a request: decides it, or reopens it. */
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

/** A request to reopen, with a note for its driver. */
export const reopenRequestInput = v.object({
	id: rowId,
	adminNotes: processRequestInput.entries.adminNotes,
});

/** The request of a row's form. */
export const requestIdInput = v.object({ id: rowId });

/** The ids of ticked boxes: in one field each or separated by spaces, without duplicates. */
export const tickedIds = v.pipe(
	v.array(v.unknown()),
	v.transform((fields) =>
		fields.flatMap((text) => (typeof text === "string" ? text.split(" ") : [])),
	),
	v.transform((ids) => [...new Set(ids.filter((id) => id !== ""))]),
);

/** The requests of a bulk approval. Unknown ids are reported, not refused. */
export const bulkApprovalInput = v.object({
	ids: v.pipe(
		tickedIds,
		v.nonEmpty("Please select requests to approve"),
		v.maxLength(MAX_BULK_SIZE, `At most ${MAX_BULK_SIZE} requests at once.`),
	),
});
