import { useForm } from "@conform-to/react";
import { WEBHOOK_FIELDS } from "../../domain/webhooks/fields.ts";
import { newWebhookInput } from "../../domain/webhooks/input.ts";
import { EVENT_NAMES } from "../../domain/webhooks/rules.ts";
import { constraintOf } from "../../ui/forms/constraint.ts";
import { TextField } from "../../ui/forms/fields.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import type { WebhooksAnswer } from "./actions.server.ts";
import { EventChoices } from "./event-choices.tsx";

/** The form that adds one. */
export function NewWebhook({
	newKey,
	answer,
}: {
	newKey: string;
	answer: WebhooksAnswer | undefined;
}) {
	const [form, fields] = useForm<Record<keyof typeof WEBHOOK_FIELDS | "key", string>>({
		id: "webhook-form",
		lastResult: answer?.form ?? null,
		defaultValue: { events: EVENT_NAMES.join(" ") },
		constraint: constraintOf(newWebhookInput),
		defaultNoValidate: false,
	});
	const key = answer?.needsNewKey ? newKey : fields.key.initialValue || newKey;
	const chosen = (fields.events.initialValue ?? "").split(" ");
	return (
		<form method="post" action="/settings/webhooks" className="grid gap-4">
			<input type="hidden" name="key" value={key} />
			<Problems problems={form.errors ?? []} takesFocus />
			<TextField
				field={fields.url}
				label={WEBHOOK_FIELDS.url.label}
				hint="An https URL on port 443 with a public domain name. Redirects aren't followed."
				inputMode="url"
			/>
			<EventChoices
				prefix="new"
				chosen={EVENT_NAMES.filter((event) => chosen.includes(event))}
				errors={fields.events.errors}
			/>
			<div>
				<Button pending="Adding..." size="wide">
					Add webhook
				</Button>
			</div>
		</form>
	);
}
