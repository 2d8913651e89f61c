/** Sends messages through Cloudflare's send_email binding or Resend's API. */
import * as v from "valibot";
import {
	MailFault,
	type Message,
	type SentTogether,
	type Transport,
} from "../domain/mail/rules.ts";
import type { MailSettings } from "../env.server.ts";
import { toHtml } from "./mail-html.ts";

/** A header value must be one line. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ").slice(0, 250);
const TIMEOUT_MS = 10_000;

/** The text in two parts, plain and HTML. */
type Parts = Message & { readonly html: string };

/**
 * The configured transport.
 * @param origin of the fleet, for the links in its emails
 */
export function createTransport(mail: MailSettings, origin: string): Transport {
	const inParts = (message: Message): Parts => ({ ...message, html: toHtml(message.text, origin) });
	if (mail.provider === "binding")
		return { isRepeatable: false, send: (message) => sendThroughBinding(mail, inParts(message)) };
	return {
		isRepeatable: true,
		send: (message) => sendThroughResend(mail, inParts(message)),
		sendTogether: (messages, key) => sendTogetherThroughResend(mail, messages.map(inParts), key),
	};
}

/**
 * What Cloudflare's error codes mean. After any other error the message may or may not have been
 * sent.
 */
const CODES: Readonly<Record<string, MailFault["kind"]>> = {
	E_VALIDATION_ERROR: "refused",
	E_FIELD_MISSING: "refused",
	E_CONTENT_TOO_LARGE: "refused",
	E_RECIPIENT_NOT_ALLOWED: "address",
	E_RECIPIENT_SUPPRESSED: "address",
	// Errors that the fleet's operator can fix.
	E_SENDER_NOT_VERIFIED: "later",
	E_SENDER_DOMAIN_NOT_AVAILABLE: "later",
	E_RATE_LIMIT_EXCEEDED: "later",
	E_DAILY_LIMIT_EXCEEDED: "later",
};

async function sendThroughBinding(
	{ sender, from }: Extract<MailSettings, { provider: "binding" }>,
	{ to, subject, text, html }: Parts,
): Promise<undefined> {
	try {
		await sender.send({ from, to, subject: oneLine(subject), text, html });
	} catch (error) {
		const code =
			typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
		const kind = CODES[code];
		if (!kind) throw error;
		throw new MailFault(kind, `${error instanceof Error ? error.message : "refused"} (${code})`);
	}
}

type Resend = Extract<MailSettings, { provider: "resend" }>;
const TAKEN = v.object({ id: v.string() });
const PROBLEM = v.object({ message: v.string() });
/** The accepted messages' ids, in order, and the others by their places. */
const TAKEN_TOGETHER = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		data: v.array(TAKEN),
		errors: v.optional(v.array(v.object({ index: v.number(), message: v.string() })), []),
	}),
);

const bodyOf = ({ from }: Resend, { to, subject, text, html }: Parts) => ({
	from,
	to: [to],
	subject: oneLine(subject),
	text,
	html,
});

async function callResend(
	{ key: apiKey }: Resend,
	url: string,
	key: string,
	body: object,
	headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly response: Response; readonly text: string }> {
	const response = await fetch(url, {
		method: "POST",
		signal: AbortSignal.timeout(TIMEOUT_MS),
		redirect: "manual",
		headers: {
			Authorization: `Bearer ${apiKey}`,
			"Content-Type": "application/json",
			"Idempotency-Key": key,
			...headers,
		},
		body: JSON.stringify(body),
	});
	// The status says enough; reading the rest may fail.
	return { response, text: await response.text().catch(() => "") };
}

async function sendThroughResend(mail: Resend, message: Parts): Promise<string | undefined> {
	const { response, text } = await callResend(mail, mail.url, message.key, bodyOf(mail, message));
	if (!response.ok) throw faultOf(response, text);
	const taken = v.safeParse(v.pipe(v.string(), v.parseJson(), TAKEN), text);
	return taken.success ? taken.output.id : undefined;
}

async function sendTogetherThroughResend(
	mail: Resend,
	messages: readonly Parts[],
	key: string,
): Promise<readonly SentTogether[]> {
	const { response, text } = await callResend(
		mail,
		`${mail.url}/batch`,
		key,
		messages.map((message) => bodyOf(mail, message)),
		// Otherwise one refused message refuses them all.
		{ "x-batch-validation": "permissive" },
	);
	if (!response.ok) {
		const fault = faultOf(response, text);
		// Separately each would have another key, so a call that may have been accepted stays together.
		throw response.status >= 500 && response.status !== 503 ? new Error(fault.message) : fault;
	}
	const { success, output } = v.safeParse(TAKEN_TOGETHER, text);
	const { data, errors } = success ? output : { data: [], errors: [] };
	const refused = new Map(errors.map(({ index, message }) => [index, message]));
	const accepted = messages.filter((_, at) => !refused.has(at)).length;
	if (accepted !== data.length || accepted + errors.length !== messages.length)
		throw new Error("The email provider didn't say what became of each message");
	let taken = 0;
	return messages.map((_, at) => {
		const words = refused.get(at);
		if (words === undefined) return data[taken++]?.id ?? "";
		return refusal(`The email provider refused it: ${words.slice(0, 200)}`);
	});
}

/** A wrong sender is the operator's fault, not the message's, which would always be refused. */
const refusal = (words: string) =>
	new MailFault(/`from`/.test(words) ? "later" : /`to`/.test(words) ? "address" : "refused", words);

/** What Resend's refusal means. */
function faultOf({ status, headers }: Response, body: string): Error {
	const problem = v.safeParse(v.pipe(v.string(), v.parseJson(), PROBLEM), body);
	const words = `The email provider returned ${status}${problem.success ? `: ${problem.output.message.slice(0, 200)}` : ""}`;
	// The same key is being sent right now, or was sent with different content.
	if (status === 409) return new Error(words);
	if (status === 400 || status === 413 || status === 422) return refusal(words);
	const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
	return new MailFault("later", words, status === 429 && seconds > 0 ? seconds * 1000 : undefined);
}
