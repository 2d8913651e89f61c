import type { WebhookEvent } from "../../domain/webhooks/rules.ts";
import { Badge } from "../../ui/primitives/badge.tsx";
import { Button } from "../../ui/primitives/button.tsx";
import { Card } from "../../ui/primitives/card.tsx";
import { EventChoices } from "./event-choices.tsx";
import type { WebhooksData } from "./view.server.ts";

type Webhook = WebhooksData["webhooks"][number];

/** A button with its own form. */
function Act({
	webhook: { id, host },
	intent,
	seen,
	words,
	pending,
}: {
	webhook: Webhook;
	intent: string;
	/** What the form was shown for. */
	seen?: string;
	words: string;
	pending: string;
}) {
	return (
		<form method="post" action="/settings/webhooks">
			<input type="hidden" name="intent" value={intent} />
			<input type="hidden" name="id" value={id} />
			{seen ? <input type="hidden" name="seen" value={seen} /> : null}
			<Button variant="outline" pending={pending}>
				{words}
				<span className="sr-only"> ({host})</span>
			</Button>
		</form>
	);
}

/** One webhook: its state, its events, and what can be done with it. */
export function Webhook({
	webhook,
	unsaved,
}: {
	webhook: Webhook;
	/** What was chosen in a form that was refused. */
	unsaved: readonly WebhookEvent[] | undefined;
}) {
	const { id, url, host, events, isOn, isFailing, state, olderSecret } = webhook;
	return (
		<Card id={`webhook-${id}`} className="grid gap-4">
			<div className="flex flex-wrap items-center justify-between gap-2">
				<h3 className="min-w-0 font-semibold wrap-anywhere">{url}</h3>
				<Badge variant={isOn ? (isFailing ? "bad" : "good") : "quiet"}>
					{isOn ? (isFailing ? "Failing" : "On") : "Off"}
				</Badge>
			</div>
			{state ? <p>{state}.</p> : null}
			{olderSecret ? <p className="text-quiet">{olderSecret}</p> : null}
			<details open={unsaved !== undefined}>
				<summary className="min-h-11 content-center">Events: {events.join(", ")}</summary>
				<form method="post" action="/settings/webhooks" className="grid gap-4 pt-2">
					<input type="hidden" name="intent" value="choose-events" />
					<input type="hidden" name="id" value={id} />
					<input type="hidden" name="seen" value={events.join(", ")} />
					<EventChoices prefix={id} chosen={unsaved ?? events} />
					<div>
						<Button variant="outline" pending="Saving...">
							Save events<span className="sr-only"> ({host})</span>
						</Button>
					</div>
				</form>
			</details>
			<div className="flex flex-wrap gap-3">
				{isOn ? (
					<>
						<Act webhook={webhook} intent="test" words="Send a test event" pending="Queuing..." />
						<Act
							webhook={webhook}
							intent="switch-off"
							words="Switch off"
							pending="Switching off..."
						/>
					</>
				) : (
					<Act webhook={webhook} intent="switch-on" words="Switch on" pending="Switching on..." />
				)}
				<details>
					<summary className="min-h-11 content-center">Replace secret or remove</summary>
					<div className="flex flex-wrap gap-3 pt-2">
						<p className="w-full text-quiet">
							After you replace the secret, the old one also signs for 24 hours. If you remove the
							webhook, events that are still waiting aren't sent.
						</p>
						<Act
							webhook={webhook}
							intent="rotate-secret"
							seen={webhook.secretMark}
							words="Replace secret"
							pending="Replacing..."
						/>
						<Act webhook={webhook} intent="remove" words="Remove" pending="Removing..." />
					</div>
				</details>
			</div>
		</Card>
	);
}
