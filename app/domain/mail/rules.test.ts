/** When an email is retried, and its state in the outbox. */
import { expect, it } from "vitest";
import { MAX_TRIES, mailState, retryDelay } from "./rules.ts";

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
