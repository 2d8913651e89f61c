/** Sends messages through Cloudflare's send_email binding or Resend's API. */
import * as v from "valibot";
import { MailFault, type Message, type Transport } from "../domain/mail/rules.ts";
import type { MailSettings } from "../env.server.ts";

/** A header value must be one line. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ").slice(0, 250);
const TIMEOUT_MS = 10_000;

/** The configured transport. */
export function createTransport(mail: MailSettings): Transport {
	if (mail.provider === "binding")
		return { isRepeatable: false, send: (message) => sendThroughBinding(mail, message) };
	return { isRepeatable: true, send: (message) => sendThroughResend(mail, message) };
}

/**
 * What Cloudflare's error codes mean. After any other error it isn't known whether the message was
 * sent.
 */
const CODES: Readonly<Record<string, MailFault["kind"]>> = {
	E_VALIDATION_ERROR: "refused",
	E_FIELD_MISSING: "refused",
	E_CONTENT_TOO_LARGE: "refused",
	E_RECIPIENT_NOT_ALLOWED: "address",
	E_RECIPIENT_SUPPRESSED: "address",
	// Errors that whoever runs the fleet can fix.
	E_SENDER_NOT_VERIFIED: "later",
	E_SENDER_DOMAIN_NOT_AVAILABLE: "later",
	E_RATE_LIMIT_EXCEEDED: "later",
	E_DAILY_LIMIT_EXCEEDED: "later",
};

async function sendThroughBinding(
	{ sender, from }: Extract<MailSettings, { provider: "binding" }>,
	{ to, subject, text }: Message,
): Promise<undefined> {
	try {
		await sender.send({ from, to, subject: oneLine(subject), text });
	} catch (error) {
		const code =
			typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
		const kind = CODES[code];
		if (!kind) throw error;
		throw new MailFault(kind, `${error instanceof Error ? error.message : "refused"} (${code})`);
	}
}

const TAKEN = v.object({ id: v.string() });
const PROBLEM = v.object({ message: v.string() });

async function sendThroughResend(
	{ url, key: apiKey, from }: Extract<MailSettings, { provider: "resend" }>,
	{ to, subject, text, key }: Message,
): Promise<string | undefined> {
	const response = await fetch(url, {
		method: "POST",
		signal: AbortSignal.timeout(TIMEOUT_MS),
		redirect: "manual",
		headers: {
			Authorization: `Bearer ${apiKey}`,
			"Content-Type": "application/json",
			"Idempotency-Key": key,
		},
		body: JSON.stringify({ from, to: [to], subject: oneLine(subject), text }),
	});
	const { status } = response;
	// The status says enough; reading the rest may fail.
	const body = await response.text().catch(() => "");
	if (response.ok) {
		const taken = v.safeParse(v.pipe(v.string(), v.parseJson(), TAKEN), body);
		return taken.success ? taken.output.id : undefined;
	}
	const problem = v.safeParse(v.pipe(v.string(), v.parseJson(), PROBLEM), body);
	const words = `The email provider returned ${status}${problem.success ? `: ${problem.output.message.slice(0, 200)}` : ""}`;
	// The same key is being sent right now, or was sent with different content.
	if (status === 409) throw new Error(words);
	if (status === 400 || status === 413 || status === 422)
		throw new MailFault(/`to`/.test(words) ? "address" : "refused", words);
	throw new MailFault("later", words);
}
