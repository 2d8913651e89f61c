/** The payloads of a new webhook and of a changed choice of events. */
import * as v from "valibot";
import { requiredText, rowId, submissionKey } from "../../values/fields.ts";
import { WEBHOOK_FIELDS } from "./fields.ts";
import { EVENT_NAMES, MAX_URL_LENGTH } from "./rules.ts";
import { checkWebhookUrl } from "./url.ts";

const url = v.pipe(
	requiredText(WEBHOOK_FIELDS.url.missing, MAX_URL_LENGTH),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const checked = checkWebhookUrl(dataset.value);
		if (checked.ok && checked.url.length <= MAX_URL_LENGTH) return checked.url;
		addIssue({
			message: checked.ok ? `Use ${MAX_URL_LENGTH} characters or fewer` : checked.message,
		});
		return NEVER;
	}),
);

/** The chosen events, each in the form's order and once. */
const events = v.pipe(
	v.optional(v.pipe(v.string(), v.maxLength(400, "Choose from the list")), ""),
	v.transform((text) => text.split(" ").filter(Boolean)),
	v.array(v.picklist(EVENT_NAMES, "Choose from the list")),
	v.minLength(1, WEBHOOK_FIELDS.events.missing),
	v.transform((chosen) => EVENT_NAMES.filter((event) => chosen.includes(event))),
);

export const newWebhookInput = v.object({ url, events, key: submissionKey });
export type NewWebhookInput = v.InferOutput<typeof newWebhookInput>;

export const webhookEventsInput = v.object({ id: rowId, events });
