/** What the forms of this screen do. */
import type { SubmissionResult } from "@conform-to/react";
import type { RequestContext } from "../../auth/request-context.ts";
import type { AdminContext } from "../../domain/kernel/context.ts";
import { addWebhook } from "../../domain/webhooks/commands/add.server.ts";
import { chooseEvents } from "../../domain/webhooks/commands/choose-events.server.ts";
import { removeWebhook } from "../../domain/webhooks/commands/remove.server.ts";
import { rotateSecret } from "../../domain/webhooks/commands/rotate-secret.server.ts";
import { deliverAgain } from "../../domain/webhooks/commands/send-again.server.ts";
import { sendTestEvent } from "../../domain/webhooks/commands/send-test.server.ts";
import { switchWebhook } from "../../domain/webhooks/commands/switch.server.ts";
import { newWebhookInput, webhookEventsInput } from "../../domain/webhooks/input.ts";
import { whyNotAdded, whyNotChanged, whyNotSentAgain } from "../../domain/webhooks/refusals.ts";
import type { WebhookEvent } from "../../domain/webhooks/rules.ts";
import { parseSearch, webhooksUrl } from "../../domain/webhooks/search.ts";
import { messagesOf, parseForm, textField } from "../../http/form.server.ts";
import { unknownAction } from "../../http/intent.server.ts";
import { refusal } from "../../http/refusal.ts";
import { seeOther } from "../../http/toast.server.ts";
import { type NamedToastName, TOASTS, type Toast, withReason } from "../../messages.ts";
import type { RefusalAnswer } from "../../values/outcome.ts";

/** What a post answers unless it redirects. */
export type WebhooksAnswer = {
	readonly status: number;
	readonly toast: Toast;
	/** A new secret: a redirect would have to store it. */
	readonly secret?: string;
	readonly form?: SubmissionResult;
	/** The key was used before. */
	readonly needsNewKey?: boolean;
	/** The events that weren't saved. */
	readonly chosen?: { readonly id: string; readonly events: readonly WebhookEvent[] };
};

/** Handles the posted form, by its intent. */
export async function webhooksAction(
	context: RequestContext,
	admin: AdminContext,
	query: URLSearchParams,
): Promise<Response | WebhooksAnswer> {
	const id = await textField(context, "id");
	const changed = (name: NamedToastName, url: string) =>
		seeOther(`/settings/webhooks#webhook-${id}`, context.settings, [name, new URL(url).host]);
	switch (await textField(context, "intent")) {
		case "":
			return add(context, admin);
		case "choose-events": {
			const parsed = await parseForm(context, webhookEventsInput, await chosenEvents(context));
			if (parsed.status !== "success")
				return refuse({ status: 400, message: messagesOf(parsed.reply())[0] ?? "" });
			const { events } = parsed.value;
			const seen = (await textField(context, "seen")) || undefined;
			const outcome = await chooseEvents(admin, parsed.value.id, events, seen);
			if (!outcome.ok) return { ...refuse(whyNotChanged(outcome, admin)), chosen: { id, events } };
			return changed("webhookEventsChosen", outcome.value);
		}
		case "rotate-secret": {
			const seen = (await textField(context, "seen")) || undefined;
			const outcome = await rotateSecret(admin, id, seen);
			if (!outcome.ok) return refuse(whyNotChanged(outcome, admin));
			return { status: 200, toast: TOASTS.webhookSecretReplaced, secret: outcome.value.secret };
		}
		case "switch-on":
		case "switch-off": {
			const isOn = (await textField(context, "intent")) === "switch-on";
			const outcome = await switchWebhook(admin, id, isOn);
			if (!outcome.ok) return refuse(whyNotChanged(outcome, admin));
			return changed(isOn ? "webhookOn" : "webhookOff", outcome.value);
		}
		case "remove": {
			const outcome = await removeWebhook(admin, id);
			if (!outcome.ok) return refuse(whyNotChanged(outcome, admin));
			return changed("webhookRemoved", outcome.value);
		}
		case "test": {
			const outcome = await sendTestEvent(admin, id);
			if (!outcome.ok) return refuse(whyNotChanged(outcome, admin));
			return changed("webhookTested", outcome.value);
		}
		case "send-again": {
			const outcome = await deliverAgain(admin, id);
			if (!outcome.ok) return refuse(whyNotSentAgain(outcome, admin), TOASTS.deliveryFailed);
			const here = webhooksUrl(parseSearch(query));
			return seeOther(`${here}#delivery-${id}`, context.settings, "deliveryQueued");
		}
		default:
			throw unknownAction();
	}
}

/** The ticked events, which the form sends under one name. */
const chosenEvents = async (context: RequestContext) => ({
	events: (await context.form())
		.getAll("events")
		.filter((each) => typeof each === "string")
		.join(" "),
});

function refuse(
	{ status, message }: RefusalAnswer,
	toast: Toast = TOASTS.webhookFailed,
): WebhooksAnswer {
	if (status === 404) throw refusal({ kind: "not-found" }, 404);
	return { status, toast: withReason(toast, message) };
}

async function add(context: RequestContext, admin: AdminContext): Promise<WebhooksAnswer> {
	const submission = await parseForm(context, newWebhookInput, await chosenEvents(context));
	if (submission.status !== "success") {
		const form = submission.reply();
		return { status: 400, toast: withReason(TOASTS.webhookFailed, messagesOf(form)[0]), form };
	}
	const outcome = await addWebhook(admin, submission.value);
	if (outcome.ok) return { status: 200, toast: TOASTS.webhookAdded, secret: outcome.value.secret };
	const { status, message } = whyNotAdded(outcome, admin);
	return {
		status,
		toast: withReason(TOASTS.webhookFailed, message),
		form: submission.reply({ formErrors: [message] }),
		needsNewKey: outcome.reason === "added-before" || outcome.reason === "key-reused",
	};
}
