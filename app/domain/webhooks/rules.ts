/** What webhooks are sent, and how often. */
import type { DELIVERY_STATUSES } from "../../db/schema.ts";

/** The events that a webhook can be sent, in the order of the form. */
export const EVENTS = {
	"driver.applied": "A driver applied",
	"driver.approved": "A driver was approved",
	"request.created": "A fund request was submitted",
	"request.decided": "A fund request was approved or rejected",
	"request.reopened": "A decided fund request is pending again",
	"payout.paid": "A payout was marked as paid",
	"payout.reopened": "A paid payout is open again",
	"statement.imported": "A fee statement was imported",
	"settlement.published": "A driver's week was published",
} as const;
export type WebhookEvent = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as [WebhookEvent, ...WebhookEvent[]];
/** What 'Send a test event' sends, whatever was chosen. */
export const TEST_EVENT = "webhook.test";

export const MAX_WEBHOOKS = 5;
export const MAX_URL_LENGTH = 500;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long a replaced secret signs too, in milliseconds. */
export const OLDER_SECRET_MS = DAY_MS;
/** What tells a secret from those before it: until when the one that it replaced signs too. */
export const secretMark = (olderSecretUntil: number | null): string =>
	String(olderSecretUntil ?? "first");
/** How long deliveries are kept, in milliseconds. */
export const KEEP_MS = 30 * DAY_MS;
/** A webhook is switched off after failing this long, in milliseconds. */
export const MAX_FAILING_MS = 5 * DAY_MS;

/** Milliseconds from each try to the next: 8 tries, the last one two days after the first. */
const DELAYS_MS = [
	...[1, 4, 25, 90].map((minutes) => minutes * MINUTE_MS),
	...[6, 16, 24].map((hours) => hours * HOUR_MS),
];
export const MAX_TRIES = DELAYS_MS.length + 1;
/** Milliseconds until the next try, or undefined after the last one. */
export const retryDelay = (tries: number): number | undefined => DELAYS_MS[tries - 1];

/** How long a receiver may take to answer, in milliseconds. */
export const TIMEOUT_MS = 10_000;
/** A delivery under way for longer than this was lost with its isolate, in milliseconds. */
export const LOST_MS = 2 * MINUTE_MS;
/** How many deliveries a run makes to one webhook, and how long it starts new ones, in milliseconds. */
export const MAX_PER_RUN = 100;
export const MAX_RUN_MS = 20_000;

type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** The state shown for a delivery: its status, or what is known beyond it. */
export type DeliveryState = DeliveryStatus | "retrying" | "maybe";
export const STATE_LABELS: Readonly<Record<DeliveryState, string>> = {
	queued: "Waiting",
	sending: "Sending",
	retrying: "Trying again",
	delivered: "Delivered",
	failed: "Given up",
	maybe: "May have arrived",
};
export const STATE_TONES = {
	queued: "wait",
	sending: "info",
	retrying: "wait",
	delivered: "good",
	failed: "bad",
	maybe: "wait",
} as const satisfies Record<DeliveryState, string>;

/** The state to show for a delivery. */
export function deliveryState({
	status,
	attempts,
	mayHaveArrived,
}: {
	readonly status: DeliveryStatus;
	readonly attempts: number;
	readonly mayHaveArrived: boolean;
}): DeliveryState {
	if (status === "queued" && attempts > 0) return "retrying";
	return status === "failed" && mayHaveArrived ? "maybe" : status;
}

/** An event to hand over. */
export type WebhookMessage = {
	readonly url: string;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
};

/**
 * Hands an event to a receiver.
 * @returns the status of its answer
 * @throws any error, which leaves open whether it arrived
 */
export type WebhookTransport = (message: WebhookMessage) => Promise<number>;
