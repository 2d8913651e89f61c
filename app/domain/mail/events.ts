/** Resend's events about a message it has accepted. */
import * as v from "valibot";

const EVENT = v.object({
	type: v.string(),
	created_at: v.pipe(v.string(), v.isoTimestamp()),
	data: v.object({
		email_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
		bounce: v.optional(v.object({ message: v.optional(v.string()), type: v.optional(v.string()) })),
		failed: v.optional(v.object({ reason: v.optional(v.string()) })),
	}),
});

export type MailEvent = {
	/** The provider's id of the message. */
	readonly providerId: string;
	readonly kind: "delivered" | "bounced";
	readonly reason: string;
	/** UTC milliseconds. */
	readonly at: number;
};

const REASONS: Readonly<Record<string, string>> = {
	"email.bounced": "The recipient's email server rejected it.",
	"email.complained": "The recipient marked an email as spam.",
	"email.suppressed": "The provider has blocked this email address.",
	"email.failed": "The provider couldn't send it.",
};

/** @returns `malformed` for an invalid event; undefined for one that changes nothing here */
export function parseMailEvent(body: string): MailEvent | "malformed" | undefined {
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), EVENT), body);
	if (!parsed.success) return "malformed";
	const { type, created_at, data } = parsed.output;
	const event = { providerId: data.email_id, at: Date.parse(created_at) };
	if (type === "email.delivered") return { ...event, kind: "delivered", reason: "" };
	const words = REASONS[type];
	// The provider itself retries a full mailbox.
	if (!words || data.bounce?.type === "Transient") return undefined;
	const told = data.bounce?.message ?? data.failed?.reason;
	return { ...event, kind: "bounced", reason: (told || words).replace(/\s+/g, " ").slice(0, 300) };
}
