/** The fields of the forms about settings. */
import type { FormFields } from "../../values/form-field.ts";

export const FLEET_FIELDS = {
	fleetName: { label: "Fleet name", kind: "line" },
} as const satisfies FormFields;

export const ACCOUNTING_FIELDS = {
	accountCode: { label: "Account code", kind: "line", missing: "Account code is required" },
	taxType: { label: "Tax type", kind: "line" },
} as const satisfies FormFields;
