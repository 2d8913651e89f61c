/** How long an invitation and a sign-in are good for. */
import { expect, it } from "vitest";
import { FRESH_SIGN_IN_MS, INVITATION_TTL_MS } from "./rules.ts";

it("is 30 days for a driver, 72 hours for an administrator, and 15 minutes after signing in", () => {
	expect(INVITATION_TTL_MS).toEqual({ driver: 2_592_000_000, admin: 259_200_000 });
	expect(FRESH_SIGN_IN_MS).toBe(900_000);
});
