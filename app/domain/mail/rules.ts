/** How email leaves the outbox. */

/** Milliseconds that a notice to administrators waits for others to join it: 15 minutes. */
export const DIGEST_DELAY_MS = 15 * 60_000;
/** Things told in one digest. */
export const MAX_GATHERED = 100;
/** Messages sent in one run, and how long a run goes on taking another one, milliseconds. */
export const MAX_SENT = 20;
export const RUN_MS = 15_000;
/** Tries before a message is given up and shown as failed. */
export const MAX_TRIES = 6;
/** A message that has been on its way for longer was lost with its isolate, milliseconds. */
export const SEND_TIMEOUT_MS = 10 * 60_000;
/**
 * How long a provider is relied on to know a key it has taken, milliseconds: Resend remembers them
 * for 24 hours.
 */
export const KEY_KNOWN_MS = 20 * 3_600_000;

/** A reminder that couldn't be sent for this long is useless, milliseconds: 2 days. */
export const REMINDER_TTL_MS = 2 * 86_400_000;
/** Reminders given up at once. */
export const MAX_GIVEN_UP = 500;

/** Milliseconds until the next try: 1, 2, 4, 8, 16 minutes. */
export function retryDelay(tries: number): number {
	return 60_000 * 2 ** (tries - 1);
}

export type MailStatus = "queued" | "sending" | "sent" | "failed" | "cancelled";
/** What the outbox calls an email: its status, or what is known beyond it. */
export type MailState = MailStatus | "uncertain" | "bounced";
export const MAIL_LABELS: Readonly<Record<MailState, string>> = {
	queued: "Waiting",
	sending: "Sending",
	sent: "Sent",
	failed: "Failed",
	cancelled: "Canceled",
	uncertain: "May have been sent",
	bounced: "Bounced",
};
export const MAIL_TONES = {
	queued: "wait",
	sending: "info",
	sent: "good",
	failed: "bad",
	cancelled: "quiet",
	uncertain: "wait",
	bounced: "bad",
} as const satisfies Record<MailState, string>;

/** What the outbox calls an email. */
export function mailState(mail: {
	readonly status: MailStatus;
	readonly mayHaveBeenSent: boolean;
	readonly bouncedAt: number | null;
}): MailState {
	if (mail.status === "sent" && mail.bouncedAt !== null) return "bounced";
	return mail.status === "failed" && mail.mayHaveBeenSent ? "uncertain" : mail.status;
}

export type Message = {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	/** A repeatable provider takes the same key once. */
	readonly key: string;
};

/** Hands messages to a provider. */
export type Transport = {
	/**
	 * @returns what the provider calls the message, if it says
	 * @throws MailFault; any other error leaves open whether the provider took it
	 */
	readonly send: (message: Message) => Promise<string | undefined>;
	/** True when a message may be handed over again under the same key without being sent twice. */
	readonly isRepeatable: boolean;
};

/** A provider did not take a message. */
export class MailFault extends Error {
	/**
	 * @param kind `later` may pass, `refused` won't, and `address` won't because of the recipient
	 */
	constructor(
		readonly kind: "later" | "refused" | "address",
		message: string,
	) {
		super(message);
	}
}
