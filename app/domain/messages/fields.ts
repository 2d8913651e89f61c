/** The fields of the forms that write a message. */
import type { FormFields } from "../../values/form-field.ts";

export const MESSAGE_FIELDS = {
	text: { label: "Message", kind: "long", missing: "Write a message" },
} as const satisfies FormFields;
