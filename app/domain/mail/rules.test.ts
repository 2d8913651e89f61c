/** When an email is retried, and its shown state. */
import { expect, it } from "vitest";
import {
	DIGEST_DELAY_MS,
	IDEMPOTENCY_WINDOW_MS,
	isTriedEnough,
	MAIL_LABELS,
	mailState,
	pauseDelay,
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

it("waits twice as long after each try, at most an hour", () => {
	const waits = Array.from({ length: 9 }, (_, each) => retryDelay(each + 1) / 60_000);
	expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

it("waits as long as the provider has been at fault, at least a minute and at most an hour", () => {
	const minutes = [0, 0.5, 1, 7, 45, 60, 61, 6000].map(
		(each) => pauseDelay(each * 60_000) / 60_000,
	);
	expect(minutes).toEqual([1, 1, 1, 7, 45, 60, 60, 60]);
});

it("gives an email up after four days, and an invitation when it ends", () => {
	const days = (kind: string, most: number) =>
		[most - 0.001, most].map((each) => isTriedEnough(kind, each * 86_400_000));
	expect(days("request-decided", 4)).toEqual([false, true]);
	expect(days("invitation", 30)).toEqual([false, true]);
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
