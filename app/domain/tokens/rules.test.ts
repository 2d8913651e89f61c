/** What a token looks like, and how it is recognized. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expiryOf, isLive, isToken, newToken } from "./rules.ts";

const counting = (into: Uint8Array<ArrayBuffer>) => into.map((_, place) => place);

describe("a token", () => {
	it("is mlp_, 30 letters and digits, and 6 of their checksum", () => {
		for (let each = 0; each < 200; each++) {
			const token = newToken();
			expect(token).toMatch(/^mlp_[0-9A-Za-z]{36}$/);
			expect(isToken(token)).toBe(true);
		}
	});

	it("always has the same checksum, which other programs can compute", () => {
		// CRC-32 of the 30 letters and digits, in base 62 with 0-9A-Za-z.
		expect(newToken(counting)).toBe("mlp_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp");
	});

	it("takes each symbol as often, whatever the bytes are", () => {
		let calls = 0;
		const token = newToken((into) => {
			calls += 1;
			return into.fill(calls < 3 ? 255 : 61);
		});
		expect(token.slice(4, 34)).toBe("z".repeat(30));
		expect(calls).toBe(3);
	});

	it("is none with any symbol changed", () => {
		const token = newToken();
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 39 }),
				fc.constantFrom(..."0Aaz_ é"),
				(place, other) => {
					const changed = token.slice(0, place) + other + token.slice(place + 1);
					expect(isToken(changed)).toBe(changed === token);
				},
			),
		);
		for (const text of ["", "mlp_", token.slice(1), `${token}0`, `${token}\n`, ` ${token}`])
			expect(isToken(text), JSON.stringify(text)).toBe(false);
	});
});

it.each([
	[1001, null, true],
	[1000, null, false],
	[1001, 900, false],
])(
	"a token that expires at %i and was revoked at %s works at 1000: %s",
	(expiresAt, revokedAt, works) => {
		expect(isLive({ expiresAt, revokedAt }, 1000)).toBe(works);
	},
);

it("expires to the millisecond after so many times 24 hours", () => {
	expect(expiryOf(1000, 90)).toBe(1000 + 7_776_000_000);
});
