/** The fields of the forms about fund requests, for the page and the phone's outbox. */
import type { FormFields } from "../../values/form-field.ts";
import { REQUIRED_FIELDS } from "../../values/required.ts";

/** Shown while no type is chosen. */
export const CHOOSE_TYPE = "Choose a type";

/** Submit New Fund Request. */
export const REQUEST_FIELDS = {
	type: { label: "Request Type", kind: "choice", missing: REQUIRED_FIELDS },
	amount: { label: "Amount", kind: "line", keyboard: "decimal", missing: REQUIRED_FIELDS },
	description: { label: "Description", kind: "long", missing: REQUIRED_FIELDS },
	spentOn: { label: "Spent on", kind: "date" },
} as const satisfies FormFields;

/** A driver's answer; the receipt may come with it or instead of it. */
export const ANSWER_FIELDS = {
	text: {
		label: "Your answer",
		kind: "long",
		missing: "Write an answer, or choose the receipt",
	},
} as const satisfies FormFields;

/** Approve Request and Reject Request. */
export const DECISION_FIELDS = {
	approvedAmount: { label: "Amount to approve", kind: "line", isFilledIn: true },
	reason: { label: "Reason", kind: "choice" },
	adminNotes: { label: "Admin Notes (Optional)", kind: "long" },
} as const satisfies FormFields;

/** The message when the amount to approve, which starts as the whole amount, is cleared. */
export const AMOUNT_TO_APPROVE = "Enter the amount to approve";
