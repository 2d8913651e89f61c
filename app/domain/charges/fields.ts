/** The fields of the form for a charge. */
import type { FormFields } from "../../values/form-field.ts";
import { REQUIRED_FIELDS } from "../../values/required.ts";

export const CHARGE_FIELDS = {
	kind: { label: "Kind", kind: "choice", missing: "Select a kind" },
	direction: { label: "For or against", kind: "choice" },
	amount: { label: "Amount", kind: "line", keyboard: "decimal", missing: REQUIRED_FIELDS },
	date: { label: "Date", kind: "date", missing: "Enter the date" },
	instalments: {
		label: "Weekly installments",
		kind: "line",
		keyboard: "numeric",
		isFilledIn: true,
	},
	note: { label: "Note", kind: "long" },
} as const satisfies FormFields;
