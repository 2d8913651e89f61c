/** The fields of the form for an Uber fee. */
import type { FormFields } from "../../values/form-field.ts";
import { REQUIRED_FIELDS } from "../../values/required.ts";

/** Add Uber Fee. */
export const FEE_FIELDS = {
	driverId: { label: "Driver", kind: "person", missing: REQUIRED_FIELDS },
	category: { label: "Fee Category", kind: "choice", missing: REQUIRED_FIELDS },
	amount: { label: "Amount", kind: "line", missing: REQUIRED_FIELDS },
	date: { label: "Date", kind: "date", missing: "Enter the fee date" },
	referenceNumber: { label: "Reference Number", kind: "line" },
	description: { label: "Description", kind: "long" },
} as const satisfies FormFields;
