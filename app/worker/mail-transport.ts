/** How a message leaves: Cloudflare's send_email binding, or Resend's API. */
import type { MailSettings } from "../env.server.ts";

type Message = {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	readonly key: string;
};

/** A header holds one line. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ").slice(0, 250);

/**
 * The configured transport. It throws when the provider does not take the message; the message is
 * then tried again with the same key.
 */
export function createTransport(mail: MailSettings): (message: Message) => Promise<void> {
	return async ({ to, subject, text, key }) => {
		if (mail.provider === "binding") {
			await mail.sender.send({ from: mail.from, to, subject: oneLine(subject), text });
			return;
		}
		const response = await fetch(mail.url, {
			method: "POST",
			signal: AbortSignal.timeout(10_000),
			headers: {
				Authorization: `Bearer ${mail.key}`,
				"Content-Type": "application/json",
				"Idempotency-Key": key,
			},
			body: JSON.stringify({ from: mail.from, to: [to], subject: oneLine(subject), text }),
		});
		await response.body?.cancel();
		if (!response.ok) throw new Error(`The email provider returned ${response.status}`);
	};
}
