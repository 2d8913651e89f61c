/** The fields of the form that creates a token. */
import type { FormFields } from "../../values/form-field.ts";

export const TOKEN_FIELDS = {
	name: { label: "Name", kind: "line", missing: "Enter a name" },
	scope: { label: "Access", kind: "choice", missing: "Choose its access" },
	days: {
		label: "Days until it expires",
		kind: "line",
		keyboard: "numeric",
		isFilledIn: true,
	},
} as const satisfies FormFields;
