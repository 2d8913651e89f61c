/** How mail leaves the outbox. */

/** Kinds that are gathered: what waits for one administrator goes out as one mail. */
export const DIGEST_KINDS = ["new-application", "new-request"] as const;
/** Milliseconds a mail of such a kind waits for others: 15 minutes. */
export const DIGEST_DELAY_MS = 15 * 60_000;
/** Mails taken at once. */
export const MAX_BATCH_SIZE = 20;
/** Tries before a mail is given up and shown as failed. */
export const MAX_TRIES = 6;
/**
 * A mail that has been on its way for longer was lost with its isolate, milliseconds; nobody knows
 * whether it arrived.
 */
export const SEND_TIMEOUT_MS = 10 * 60_000;

/** A reminder that could not leave for as long is of no use any more, milliseconds: 2 days. */
export const REMINDER_TTL_MS = 2 * 86_400_000;
/** Reminders given up at once. */
export const MAX_GIVEN_UP = 500;

/** Milliseconds until the next try: 1, 2, 4, 8, 16 minutes. */
export function retryDelay(tries: number): number {
	return 60_000 * 2 ** (tries - 1);
}

export type MailStatus = "queued" | "sending" | "sent" | "failed" | "cancelled";
export const MAIL_LABELS: Readonly<Record<MailStatus, string>> = {
	queued: "Waiting",
	sending: "Sending",
	sent: "Sent",
	failed: "Failed",
	cancelled: "Cancelled",
};
export const MAIL_TONES = {
	queued: "wait",
	sending: "info",
	sent: "good",
	failed: "bad",
	cancelled: "quiet",
} as const satisfies Record<MailStatus, string>;

export type Message = {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	/** The provider takes the same key once. */
	readonly key: string;
};
type Row = {
	readonly id: string;
	readonly address: string;
	readonly kind: string;
	readonly subject: string;
	readonly body: string;
};
export type OutgoingEmail = { readonly ids: readonly string[]; readonly message: Message };

const isDigest = (kind: string) => (DIGEST_KINDS as readonly string[]).includes(kind);

/**
 * The messages that rows of the outbox make: one each, but one digest for everything gathered for
 * the same address.
 */
export function groupEmails(rows: readonly Row[]): OutgoingEmail[] {
	const parcels: OutgoingEmail[] = [];
	const gathered = new Map<string, Row[]>();
	for (const row of rows) {
		if (isDigest(row.kind)) gathered.set(row.address, [...(gathered.get(row.address) ?? []), row]);
		else
			parcels.push({
				ids: [row.id],
				message: { to: row.address, subject: row.subject, text: row.body, key: row.id },
			});
	}
	for (const [to, items] of gathered) {
		const [first] = items;
		if (!first) continue;
		const subject = items.length === 1 ? first.subject : `${items.length} things wait for you`;
		const text = items
			.map((item) => (items.length === 1 ? item.body : `${item.subject}\n${item.body}`))
			.join("\n\n");
		parcels.push({ ids: items.map(({ id }) => id), message: { to, subject, text, key: first.id } });
	}
	return parcels;
}
