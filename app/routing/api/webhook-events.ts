/** What the document says about webhooks: one entry per event. */
import { EVENT_NAMES, EVENTS, MAX_TRIES } from "../../domain/webhooks/rules.ts";
import { eventOf } from "./examples.ts";

/** The group of the webhooks' entries. */
export const WEBHOOKS_GROUP = "Webhooks";

const header = (name: string, description: string) => ({
	name,
	in: "header",
	required: true,
	description,
	schema: { type: "string" },
});
const HEADERS = [
	header("webhook-id", "The event's id: handle each id once."),
	header("webhook-timestamp", "When it was sent, in seconds. Refuse what is older than 5 minutes."),
	header(
		"webhook-signature",
		"v1, a comma, and base64 of the HMAC-SHA256 of id.timestamp.body with the secret; two of them, separated by a space, for 24 hours after the secret was replaced.",
	),
];

/** The `webhooks` of the document. */
export const describeWebhooks = () =>
	Object.fromEntries(
		EVENT_NAMES.map((type) => [
			type,
			{
				post: {
					operationId: `on${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
					tags: [WEBHOOKS_GROUP],
					summary: EVENTS[type],
					description:
						"Sent to the webhooks at /settings/webhooks by the Standard Webhooks convention, within a minute of the change. Events of one row are sent in their order. Ask the API for the rest.",
					parameters: HEADERS,
					requestBody: {
						required: true,
						content: {
							"application/json": {
								schema: { $ref: "#/components/schemas/Event" },
								example: eventOf(type),
							},
						},
					},
					responses: {
						"2XX": { description: "Taken. Anything in the body is ignored." },
						default: {
							description: `Anything else, a redirect too, or no answer in 10 seconds: sent again, up to ${MAX_TRIES} tries over two days.`,
						},
					},
					security: [],
				},
			},
		]),
	);
