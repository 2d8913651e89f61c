/** How often a delivery is tried, and the state that is shown for it. */
import { expect, it } from "vitest";
import { deliveryState, MAX_TRIES, retryDelay, secretMark } from "./rules.ts";

it("tries a delivery eight times, the last one two days after the first", () => {
	const delays = Array.from({ length: MAX_TRIES }, (_, each) => retryDelay(each + 1));
	expect(MAX_TRIES).toBe(8);
	expect(delays.at(-1)).toBeUndefined();
	const hours = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0) / 3_600_000;
	expect(hours).toBe(48);
});

it.each([
	["queued", 0, false, "queued"],
	["queued", 1, false, "retrying"],
	["sending", 1, false, "sending"],
	["delivered", 1, true, "delivered"],
	["failed", 8, false, "failed"],
	["failed", 8, true, "maybe"],
] as const)(
	"shows a delivery that is %s after %i tries, and may have arrived: %s, as %s",
	(status, attempts, mayHaveArrived, state) => {
		expect(deliveryState({ status, attempts, mayHaveArrived })).toBe(state);
	},
);

it("tells a secret from those before it", () => {
	expect([null, 5, 6].map(secretMark)).toEqual(["first", "5", "6"]);
});
