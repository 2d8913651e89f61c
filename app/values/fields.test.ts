/** Cleaning of input: the same for a form and for JSON. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
	fieldNames,
	hasForbiddenCharacter,
	optionalText,
	requiredText,
	rowId,
	submissionKey,
} from "./fields.ts";

const name = requiredText("First name is required", 80);
const notes = optionalText(10);
const outputOf = (schema: v.GenericSchema<unknown, unknown>, input: unknown) => {
	const result = v.safeParse(schema, input);
	return result.success
		? { value: result.output }
		: { issues: result.issues.map((issue) => issue.message) };
};

describe("hasForbiddenCharacter", () => {
	const allowedControls = new Set(["\t", "\n", "\r"]);
	it("names every control but tab and line breaks, half surrogates and non-characters of XML", () => {
		for (let code = 0; code <= 0xffff; code++) {
			const character = String.fromCharCode(code);
			const isControl =
				(code < 0x20 || (code >= 0x7f && code <= 0x9f)) && !allowedControls.has(character);
			const isHalf = code >= 0xd800 && code <= 0xdfff;
			const isForbidden = isControl || isHalf || code >= 0xfffe;
			if (hasForbiddenCharacter(`a${character}b`) !== isForbidden)
				expect.fail(`U+${code.toString(16)}`);
		}
	});

	it("accepts surrogate pairs, and no lone surrogate anywhere", () => {
		for (const text of ["🚚", "a🚚", "🚚b", "🚚🚚", "👩‍🔧"])
			expect(hasForbiddenCharacter(text), text).toBe(false);
		for (const text of [
			"\ud83d",
			"\ude9a",
			"\ude9a\ud83d",
			"a\ud83d",
			"\ude9ab",
			"🚚\ud83d",
			"\ud83d🚚",
		])
			expect(hasForbiddenCharacter(text), JSON.stringify(text)).toBe(true);
	});

	it("rejects exactly the ill-formed texts, besides control characters", () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom("a", "é", "🚚", "\ud83d", "\ude9a", "\n"), { maxLength: 8 }),
				(parts) => {
					const text = parts.join("");
					expect(hasForbiddenCharacter(text)).toBe(!isWellFormed(text));
				},
			),
			{ numRuns: 5000 },
		);
	});
});

/** UTF-8 can't encode half a surrogate pair, so writing one replaces it. */
function isWellFormed(text: string): boolean {
	return new TextDecoder().decode(new TextEncoder().encode(text)) === text;
}

describe("requiredText", () => {
	it.each([
		["Dana", "Dana"],
		["  Dana  ", "Dana"],
		["\u00a0Dana\u3000", "Dana"],
		["Łena", "Łena"],
		["O'Neil-Okafor", "O'Neil-Okafor"],
		["=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"],
		["<b>", "<b>"],
		["a\r\nb", "a\nb"],
		["👩‍🔧", "👩‍🔧"],
		["x".repeat(80), "x".repeat(80)],
	])("takes %j", (input, value) => {
		expect(outputOf(name, input)).toEqual({ value });
	});

	it.each([
		undefined,
		"",
		" ",
		"\n\t ",
		"\u00a0",
		"\u200b",
		"\u200e\u200f",
		"\u2060 \u200d",
		"\ufeff",
	])("says that %j is missing", (input) => {
		expect(outputOf(name, input)).toEqual({ issues: ["First name is required"] });
	});

	it("refuses one character too many, and characters that nothing can carry", () => {
		expect(outputOf(name, "x".repeat(81))).toEqual({
			issues: ["Use 80 characters or fewer"],
		});
		for (const bad of ["a\u0000b", "a\u001bb", "\ud800", "a\u0085b"])
			expect(outputOf(name, bad), JSON.stringify(bad)).toEqual({
				issues: ["Remove the invisible characters from this text"],
			});
	});

	it("counts after trimming", () => {
		expect(outputOf(name, ` ${"x".repeat(80)} `)).toEqual({ value: "x".repeat(80) });
	});

	it.each([null, 1, true, ["a"], { a: 1 }])("refuses %j, which isn't text", (input) => {
		expect(outputOf(name, input).issues).toHaveLength(1);
	});
});

describe("optionalText", () => {
	it.each([
		[undefined, undefined],
		["", undefined],
		["   ", undefined],
		["\r\n", undefined],
		["\u200b\u00ad", undefined],
		[" a ", "a"],
		["a\r\nb", "a\nb"],
		["0", "0"],
	])("makes %j %j", (input, value) => {
		expect(outputOf(notes, input)).toEqual({ value });
	});

	it("refuses what is too long or cannot be carried", () => {
		expect(outputOf(notes, "x".repeat(11))).toEqual({
			issues: ["Use 10 characters or fewer"],
		});
		expect(outputOf(notes, "a\u0000")).toEqual({
			issues: ["Remove the invisible characters from this text"],
		});
	});
});

describe("rowId", () => {
	it("accepts a UUID and nothing else", () => {
		expect(outputOf(rowId, "00000000-0000-4000-8000-000000000001")).toEqual({
			value: "00000000-0000-4000-8000-000000000001",
		});
		for (const bad of [
			undefined,
			"",
			"1",
			"00000000-0000-4000-8000-00000000000",
			"00000000-0000-4000-8000-0000000000011",
			"00000000-0000-4000-8000-00000000000G",
			"' or 1=1 --' or 1=1 --' or 1=1 --' or",
			"00000000-0000-4000-8000-000000000001\n",
		])
			expect(outputOf(rowId, bad), String(bad)).toEqual({ issues: ["This entry doesn't exist"] });
	});
});

describe("submissionKey", () => {
	it("may be absent, and is 1 to 255 visible characters otherwise", () => {
		for (const good of [undefined, "a", "a".repeat(255), "Az09_-Az", "a.b:c;d"])
			expect(outputOf(submissionKey, good)).toEqual({ value: good });
		for (const bad of ["", "a".repeat(256), "a b c d e f", "ünïcödé_key", "aaaaaaaa\n"])
			expect(outputOf(submissionKey, bad).issues, bad).toHaveLength(1);
	});
});

it("knows the names of a schema and no others", () => {
	expect(fieldNames(v.object({ firstName: name, notes }))).toEqual(["firstName", "notes"]);
});

describe("characters that change a text's direction", () => {
	const REORDERING = [..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"];

	it("are refused, each in words that say what to do", () => {
		for (const character of REORDERING)
			for (const schema of [name, optionalText(100)])
				expect(outputOf(schema, `Dana ${character}revirD`)).toEqual({
					issues: [
						"This text contains hidden characters that change its direction. Type it instead of pasting it",
					],
				});
	});

	it("leave Hebrew, Arabic, Persian and direction marks as they were typed", () => {
		for (const text of [
			"דנה נהגת",
			"سائق دانا",
			"رانندهٔ می‌رود",
			"A\u200e1",
			"א\u200f1",
			"ع\u061c1",
		])
			expect(outputOf(name, text)).toEqual({ value: text });
	});
});
