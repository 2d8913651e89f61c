/**
 * POST /api/mail/events: Resend reports a message's fate. There is no session; the signature
 * authenticates the caller.
 */
import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { recordMailEvent } from "../domain/mail/bounces.server.ts";
import { parseMailEvent } from "../domain/mail/events.ts";
import { isSigned } from "../domain/mail/signature.ts";
import { isWrong } from "../env.server.ts";
import { apiRefusal } from "../http/refusal.ts";

export async function action({ request, context }: ActionFunctionArgs) {
	const { settings, db, now } = context;
	const body = context.bodyText();
	// Resend resends an event that wasn't accepted.
	if (isWrong(settings, "MAIL_WEBHOOK_SECRET"))
		return apiRefusal(
			503,
			"MAIL_WEBHOOK_SECRET isn't a signing secret, so no events are accepted.",
		);
	if (settings.mailWebhookSecret === undefined)
		return apiRefusal(404, "MAIL_WEBHOOK_SECRET isn't set, so no events are accepted.");
	if (!isSigned(request.headers, body, settings.mailWebhookSecret, now))
		return apiRefusal(
			403,
			"The signature doesn't match. Check that MAIL_WEBHOOK_SECRET belongs to this webhook.",
		);
	const event = parseMailEvent(body);
	if (event === "malformed") return apiRefusal(400, "This isn't an event about an email.");
	if (event) await recordMailEvent(db, event);
	return new Response(null, { status: 204 });
}
