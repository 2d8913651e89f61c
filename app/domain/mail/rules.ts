/** When and how email is sent. */
import { INVITATION_TTL_MS } from "../kernel/time-limits.ts";

/** How long a notice to administrators waits for others, in milliseconds: 15 minutes. */
export const DIGEST_DELAY_MS = 15 * 60_000;
/** Items in one digest. */
export const MAX_DIGEST_ITEMS = 100;
/** How many of the emails that failed are counted. */
export const MAX_COUNTED = 500;
/** Messages per run, batches per run, and how long a run starts calls, in milliseconds. */
export const MAX_PER_RUN = 100;
/** After this many messages one by one, a run hands over several per call. */
export const MAX_BEFORE_BATCHES = 10;
export const MAX_BATCHES_PER_RUN = 10;
export const MAX_RUN_MS = 15_000;
/** Messages in one call. */
export const MAX_PER_BATCH = 100;
/** A provider that asks for no more patience than this gets it within the run, in milliseconds. */
export const MAX_PATIENCE_MS = 2000;
/** How long a message is tried before it is shown as failed, in milliseconds: 4 days. */
const GIVE_UP_MS = 4 * 86_400_000;
/** How long a provider may refuse mail before the operator is told, in milliseconds. */
export const REFUSED_TOO_LONG_MS = 30 * 60_000;
/** A message sending for longer than this was lost with its isolate, in milliseconds. */
export const SEND_TIMEOUT_MS = 10 * 60_000;
/**
 * How long a provider is assumed to remember a key, in milliseconds: Resend does so for 24 hours.
 */
export const IDEMPOTENCY_WINDOW_MS = 20 * 3_600_000;

/** A reminder unsent for this long is useless, in milliseconds: 2 days. */
export const REMINDER_TTL_MS = 2 * 86_400_000;
/** Reminders cancelled at once. */
export const MAX_CANCELLED = 500;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds until the next attempt: 1, 2, 4, 8, 16, 32 minutes, then an hour. */
export function retryDelay(tries: number): number {
	return Math.min(MINUTE_MS * 2 ** (tries - 1), HOUR_MS);
}

/**
 * Milliseconds until a message that the provider refused for its own reasons is tried again: as long
 * as it has been refused already, at least a minute, at most an hour. Other messages are tried
 * meanwhile, one a minute.
 */
export function pauseDelay(refusedFor: number): number {
	return Math.min(Math.max(refusedFor, MINUTE_MS), HOUR_MS);
}

/** Whether a message has been tried long enough; an invitation is tried as long as it lasts. */
export function isTriedEnough(kind: string, triedFor: number): boolean {
	return triedFor >= (kind === "invitation" ? INVITATION_TTL_MS.driver : GIVE_UP_MS);
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

/** The result of a message in a call with several: the provider's id, or why it was refused. */
export type SentTogether = string | MailFault;

/** Hands messages to a provider. */
export type Transport = {
	/**
	 * @returns the provider's id of the message, if it gives one
	 * @throws MailFault; any other error leaves open whether the provider accepted it
	 */
	readonly send: (message: Message) => Promise<string | undefined>;
	/**
	 * Hands over several in one call, where the provider has one. Repeated with the same messages
	 * under the same key it sends none of them twice.
	 * @throws MailFault if none was accepted; any other error leaves that open
	 */
	readonly sendTogether?: (
		messages: readonly Message[],
		key: string,
	) => Promise<readonly SentTogether[]>;
	/** Whether a message may be handed over again under the same key without being sent twice. */
	readonly isRepeatable: boolean;
};

/** A provider did not accept a message. */
export class MailFault extends Error {
	/**
	 * @param kind `later` is the provider's own fault or the operator's, so that no message is
	 * accepted; `refused` never will be, and `address` won't because of the recipient
	 * @param patience milliseconds after which the provider wants to be asked again
	 */
	constructor(
		readonly kind: "later" | "refused" | "address",
		message: string,
		readonly patience?: number,
	) {
		super(message);
	}
}
