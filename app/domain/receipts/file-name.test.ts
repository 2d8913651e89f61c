import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NAMES } from "../../../tests/receipts/other-files.ts";
import { hasForbiddenCharacter } from "../../values/fields.ts";
import { displayFileName, MAX_NAME_LENGTH } from "./file-name.ts";

describe("the shown name", () => {
	it.each(NAMES)("of %j is %j", (given, shown) => {
		expect(displayFileName(given)).toBe(shown);
	});

	it("of a very long name is its end", () => {
		expect(displayFileName(`${"a/".repeat(1_000_000)}${"b".repeat(20_000)}.png`)).toBe(
			`${"b".repeat(196)}.png`,
		);
	});

	it("is never empty, too long, hidden, a path or invisible, and is stable", {
		timeout: 120_000,
	}, () => {
		const telling = fc.constantFrom(
			..."./\\ \r\n\t\0\u007f\u0085\u200b\u200c\u200d\u202e\u2066\u2028\ufeff\ud83e\udd6f\u0301aé.jpg".split(
				"",
			),
		);
		const anyText = fc.oneof(
			fc.string({ unit: "binary", maxLength: 300 }),
			fc
				.array(fc.oneof(telling, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 150 })
				.map((parts) => parts.join("")),
		);
		fc.assert(
			fc.property(anyText, (given) => {
				const shown = displayFileName(given);
				expect(shown.length).toBeGreaterThan(0);
				expect(shown.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
				expect(shown).not.toMatch(
					/^[. ]|[/\\]|[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\s{2}|\s$/u,
				);
				expect(hasForbiddenCharacter(shown)).toBe(false);
				expect(displayFileName(shown)).toBe(shown);
			}),
			{ numRuns: 20_000 },
		);
	});
});
