/** When and how email is sent. */

/** How long a notice to administrators waits for others, in milliseconds: 15 minutes. */
export const DIGEST_DELAY_MS = 15 * 60_000;
/** Items in one digest. */
export const MAX_DIGEST_ITEMS = 100;
/** Messages per run, and how long a run starts new ones, in milliseconds. */
export const MAX_PER_RUN = 20;
export const MAX_RUN_MS = 15_000;
/** Attempts before a message is shown as failed. */
export const MAX_TRIES = 6;
/** A message that has been sending for longer was lost with its isolate, in milliseconds. */
export const SEND_TIMEOUT_MS = 10 * 60_000;
/**
 * How long a provider is assumed to remember a key, in milliseconds: Resend does so for 24 hours.
 */
export const IDEMPOTENCY_WINDOW_MS = 20 * 3_600_000;

/** A reminder that couldn't be sent for this long is useless, in milliseconds: 2 days. */
export const REMINDER_TTL_MS = 2 * 86_400_000;
/** Reminders cancelled at once. */
export const MAX_CANCELLED = 500;

/** Milliseconds until the next attempt: 1, 2, 4, 8, 16 minutes. */
export function retryDelay(tries: number): number {
	return 60_000 * 2 ** (tries - 1);
}

export type MailStatus = "queued" | "sending" | "sent" | "failed" | "cancelled";
/** The state shown for an email: its status, or what is known beyond it. */
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

/** The state to show for an email. */
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
	/** The same for each attempt, for providers that accept a key only once. */
	readonly key: string;
};

/** Hands messages to a provider. */
export type Transport = {
	/**
	 * @returns the provider's id of the message, if it gives one
	 * @throws MailFault; any other error leaves open whether the provider accepted it
	 */
	readonly send: (message: Message) => Promise<string | undefined>;
	/** Whether a message may be handed over again under the same key without being sent twice. */
	readonly isRepeatable: boolean;
};

/** A provider did not accept a message. */
export class MailFault extends Error {
	/**
	 * @param kind `later` may succeed later, `refused` won't, and `address` won't because of the
	 * recipient
	 */
	constructor(
		readonly kind: "later" | "refused" | "address",
		message: string,
	) {
		super(message);
	}
}
