/** The fields of the forms that add and change a webhook. */
import type { FormFields } from "../../values/form-field.ts";

export const WEBHOOK_FIELDS = {
	url: { label: "URL", kind: "line", missing: "Enter a URL" },
	events: { label: "Events", kind: "choice", missing: "Choose at least one event" },
} as const satisfies FormFields;
