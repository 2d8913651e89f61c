/** What counts as a fresh sign-in at a provider. */
import { expect, it } from "vitest";
import { authenticationOf } from "./authentication-time.ts";

const startedAt = 1_800_000_000_000;
const at = (said: unknown, isFresh: boolean) =>
	authenticationOf(said === undefined ? {} : { auth_time: said }, { isFresh, startedAt }, 60);

it("is what the token says; without a word it counts only if it was asked for", () => {
	expect(at(undefined, false)).toBe(0);
	expect(at(undefined, true)).toBe(startedAt);
	expect(at(1_700_000_000, false)).toBe(1_700_000_000_000);
	expect(at(1_800_000_005, true)).toBe(1_800_000_005_000);
	expect(at(1_799_999_940, true)).toBe(1_799_999_940_000);
});

it.each([1_799_999_939, 0])("is refused if it was asked for and the token says %d", (said) => {
	expect(() => at(said, true)).toThrow("didn't ask again");
});

it.each(["1800000000", 1.5, -1, null, Number.NaN])("is refused if the token says %j", (said) => {
	expect(() => at(said, false)).toThrow("isn't a time");
});
