/**
 * Odometer readings: whole numbers 0 to 9,999,999, grouped or not (docs/product.md, 'Numbers, money
 * and dates').
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countMiles, formatMiles, MAX_MILES, milesBetween, parseMiles } from "./miles.ts";

it("counts one mile, and any other number of miles", () => {
	expect([0, 1, 2, 45_210].map(countMiles)).toEqual([
		"0 miles",
		"1 mile",
		"2 miles",
		"45,210 miles",
	]);
});

it.each([
	["100", "130", 30],
	["1,000", "1,250", 250],
	["130", "100", 0],
	["x", "100", 0],
	["100", "", 0],
])("counts from %j to %j %i miles", (start, end, miles) => {
	expect(milesBetween(start, end)).toBe(miles);
});

describe("parseMiles", () => {
	it.each([
		["0", 0],
		["7", 7],
		["45210", 45_210],
		["45,210", 45_210],
		["1,000", 1000],
		["999,999", 999_999],
		["1,234,567", 1_234_567],
		["9,999,999", 9_999_999],
		["9999999", 9_999_999],
		["0045210", 45_210],
		[" 45,210 ", 45_210],
		["45 210", 45_210],
		["45\u00a0210", 45_210],
		["45\u2009210", 45_210],
		["1\u202f234\u202f567", 1_234_567],
		["45'210", 45_210],
		["45’210", 45_210],
		["1.234.567", 1_234_567],
		["12,34,567", 1_234_567],
		["４５", 45],
		["４５，２１０", 45_210],
		["٤٥٬٢١٠", 45_210],
		["४५,२१०", 45_210],
	])("takes %j", (text, miles) => {
		expect(parseMiles(text)).toBe(miles);
	});

	it.each([
		"",
		" ",
		"1.5",
		"1,5",
		"45,21",
		"45,2100",
		"4,5210",
		"45210,",
		",452",
		"1234,567",
		"1,234567",
		"10000000",
		"10,000,000",
		"12,345,678",
		"999,999,999",
		"-1",
		"+1",
		"1e3",
		"0x10",
		"45.210",
		"45 21",
		"45 2100",
		"4 5 210",
		"45,210.0",
		"1.234,567",
		"45\n210",
		"45210 mi",
		"NaN",
		"12\u0000",
	])("refuses %j", (text) => {
		expect(parseMiles(text)).toBeUndefined();
	});

	it("never returns what an odometer field doesn't accept", () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom(..."0123456789,,, ."), maxLength: 14 }),
				(text) => {
					const miles = parseMiles(text);
					if (miles !== undefined)
						expect(Number.isInteger(miles) && miles >= 0 && miles <= MAX_MILES).toBe(true);
				},
			),
			{ numRuns: 20_000 },
		);
	});

	it("reads what other countries' formatters write as the same number, or not at all", () => {
		const formats = [
			"en-US",
			"en-IN",
			"de-DE",
			"de-CH",
			"fr-FR",
			"pl-PL",
			"ar-EG",
			"fa-IR",
			"hi-IN",
		];
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: MAX_MILES }),
				fc.constantFrom(...formats.map((locale) => new Intl.NumberFormat(locale))),
				(miles, format) => {
					const text = format.format(miles);
					expect(parseMiles(text)).toBe(/^\d+\.\d+$/.test(text) ? undefined : miles);
				},
			),
			{ numRuns: 5000 },
		);
	});

	it("accepts every reading as it is shown", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: MAX_MILES }), (miles) => {
				expect(parseMiles(formatMiles(miles))).toBe(miles);
				expect(parseMiles(String(miles))).toBe(miles);
			}),
			{ numRuns: 5000 },
		);
	});
});

it.each([
	[0, "0"],
	[999, "999"],
	[45_210, "45,210"],
	[9_999_999, "9,999,999"],
])("%i reads %s", (miles, shown) => {
	expect(formatMiles(miles)).toBe(shown);
});
