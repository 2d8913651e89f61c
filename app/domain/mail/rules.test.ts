/** When an email is retried, and its state in the outbox. */
import { expect, it } from "vitest";
import {
	DIGEST_DELAY_MS,
	IDEMPOTENCY_WINDOW_MS,
	MAIL_LABELS,
	MAX_TRIES,
	mailState,
	REMINDER_TTL_MS,
	retryDelay,
	SEND_TIMEOUT_MS,
} from "./rules.ts";

it("has the delays that administrators and providers count on", () => {
	expect([DIGEST_DELAY_MS, SEND_TIMEOUT_MS]).toEqual([900_000, 600_000]);
	expect([IDEMPOTENCY_WINDOW_MS, REMINDER_TTL_MS]).toEqual([72_000_000, 172_800_000]);
});

it("calls its states by what happened to the email", () => {
	expect(MAIL_LABELS).toEqual({
		queued: "Waiting",
		sending: "Sending",
		sent: "Sent",
		failed: "Failed",
		cancelled: "Canceled",
		uncertain: "May have been sent",
		bounced: "Bounced",
	});
});

it("waits twice as long after each try, and gives up within the hour", () => {
	const waits = Array.from({ length: MAX_TRIES - 1 }, (_, each) => retryDelay(each + 1) / 60_000);
	expect(waits).toEqual([1, 2, 4, 8, 16]);
});

it.each([
	["queued", false, null, "queued"],
	["sent", false, null, "sent"],
	["sent", false, 1, "bounced"],
	["failed", false, null, "failed"],
	["failed", true, null, "uncertain"],
	// Only sent emails can bounce, and only failed ones are uncertain.
	["failed", true, 1, "uncertain"],
	["sending", true, null, "sending"],
	["cancelled", false, null, "cancelled"],
] as const)(
	"%s, perhaps sent %j, bounced at %j, is %s",
	(status, mayHaveBeenSent, bouncedAt, state) => {
		expect(mailState({ status, mayHaveBeenSent, bouncedAt })).toBe(state);
	},
);
