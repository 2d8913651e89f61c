/** The fields of the forms about a payout. */
import type { FormFields } from "../../values/form-field.ts";

/** Mark as paid. */
export const PAYMENT_FIELDS = {
	paidOn: { label: "Paid on", kind: "date", missing: "Enter the date it was paid" },
	reference: { label: "Reference", kind: "line" },
} as const satisfies FormFields;

/** Reopening it. */
export const REOPEN_FIELDS = {
	reason: { label: "Reason", kind: "long" },
} as const satisfies FormFields;
