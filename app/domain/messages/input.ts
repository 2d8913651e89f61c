/** The payload of a message (docs/product.md §7). */
import * as v from "valibot";
import { requiredText, submissionKey } from "../../values/fields.ts";
import { MESSAGE_FIELDS } from "./fields.ts";

/** A question, or its answer. */
export const messageInput = v.object({
	text: requiredText(MESSAGE_FIELDS.text.missing, 1000),
	key: submissionKey,
});
export type MessageInput = v.InferOutput<typeof messageInput>;
