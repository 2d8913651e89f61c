/**
 * Money: what may be typed (docs/product.md, 'Numbers, money and dates'), conversion to text and
 * back, and the one rounding.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { DEFAULT_UNITS, setFleetUnits } from "./fleet-units.ts";
import {
	centsPerMile,
	formatDollars,
	MAX_CENTS,
	MIN_CENTS,
	parseCents,
	toDecimal,
} from "./money.ts";

const anyCents = fc.integer({ min: 0, max: 999_999_999 });

it("takes amounts above 0 and at most 100,000.00", () => {
	expect(MIN_CENTS).toBe(1);
	expect(MAX_CENTS).toBe(100_000_00);
});

describe("parseCents", () => {
	it.each([
		["12", 1200],
		["12.5", 1250],
		["12.50", 1250],
		["12,50", 1250],
		["12,5", 1250],
		["0", 0],
		["0.01", 1],
		["0,01", 1],
		["00012.30", 1230],
		["19.99", 1999],
		["1.005".slice(0, 4), 100],
		["100000.00", 10_000_000],
		["9999999.99", 999_999_999],
		[" 12.50 ", 1250],
		["\t12.50\n", 1250],
		["$45.50", 4550],
		["$ 45.50", 4550],
		["45.50 $", 4550],
		["45.50 USD", 4550],
		["usd 45.50", 4550],
		["US$45.50", 4550],
		["$45.50 USD", 4550],
		["$1,234.50", 123_450],
		["1,234.50", 123_450],
		["1.234,50", 123_450],
		["1 234,50", 123_450],
		["1\u00a0234,50", 123_450],
		["1\u2009234,50", 123_450],
		["1\u202f234.50", 123_450],
		["1'234.50", 123_450],
		["1’234.50", 123_450],
		["1 250", 125_000],
		["1'250", 125_000],
		["1,234,567", 123_456_700],
		["12,34,567.50", 123_456_750],
		["45.", 4500],
		["45,", 4500],
		["1,250.", 125_000],
		[".50", 50],
		[",50", 50],
		["４５．５０", 4550],
		["４５，５０", 4550],
		["＄４５", 4500],
		["٤٥٫٥٠", 4550],
		["١٬٢٣٤٫٥٠", 123_450],
		["۴۵٫۵۰", 4550],
		["४५.५०", 4550],
		["\u200f45.50\u200e", 4550],
	])("takes %j", (text, cents) => {
		expect(parseCents(text)).toBe(cents);
	});

	it.each([
		"",
		" ",
		"1,250",
		"1.250",
		"12.500",
		"12.345",
		"12 .50",
		"+12",
		"-12",
		"−12",
		"-0",
		"1e3",
		"1E3",
		"0x10",
		"0b1",
		"12..50",
		"12.5.0",
		"12,5,0",
		"NaN",
		"Infinity",
		"null",
		"12345678",
		"12345678.00",
		"12\u00005",
		"12\u200b",
		"12\n50",
		"1_000",
		"1,25.50",
		"12,345,67",
		"1,234.567",
		"1'234.500",
		"1 2345",
		"1 234 56",
		"1.234 567",
		"1'234 567",
		"12. 50",
		"(12.50)",
		"$-12",
		"12-",
		"45.-",
		"45,–",
		"€12.50",
		"12.50 EUR",
		"CA$12.50",
		"€12.50 USD",
		"USD USD 12.50",
		"12.50 km",
		"$",
		"$.",
		".",
		"١٢٫٥٠٠",
		"12²",
		"½",
		"5-Apr",
		"12.50\u202e",
	])("refuses %j", (text) => {
		expect(parseCents(text)).toBeUndefined();
	});

	it("never disagrees with the digits by a cent", () => {
		for (let cents = 0; cents < 1_000_000; cents++)
			if (parseCents(toDecimal(cents)) !== cents) expect.fail(String(cents));
		fc.assert(
			fc.property(anyCents, (cents) => {
				const text = toDecimal(cents);
				expect(parseCents(text)).toBe(cents);
				expect(parseCents(text.replace(".", ","))).toBe(cents);
				expect(parseCents(` ${text}\n`)).toBe(cents);
			}),
			{ numRuns: 20_000 },
		);
	});

	it("accepts only digits with at most two decimals", () => {
		const texts = fc.oneof(
			fc.string({ unit: fc.constantFrom(..."0123456789.,+-eE $'x\u00a0"), maxLength: 12 }),
			fc.string({ unit: "binary", maxLength: 12 }),
		);
		fc.assert(
			fc.property(texts, (text) => {
				const cents = parseCents(text);
				if (cents === undefined) return;
				// Without its decimal mark it is cents; without decimals, whole dollars.
				const digits = text.replace(/[^\p{Nd}]/gu, "");
				const [, decimals] = /[.,٫．，](\p{Nd}{1,2})(?!.*\p{Nd})/u.exec(text) ?? [];
				const whole = digits.slice(0, digits.length - (decimals?.length ?? 0));
				expect(digits.length).toBeGreaterThan(0);
				expect(whole.length).toBeLessThanOrEqual(7);
				if (/^[0-9]*$/.test(digits))
					expect(cents).toBe(Number(whole) * 100 + Number((decimals ?? "").padEnd(2, "0")));
				expect(text).not.toMatch(/[+\-eEx]/);
			}),
			{ numRuns: 20_000 },
		);
	});
});

describe("toDecimal and formatDollars", () => {
	it.each([
		[0, "0.00", "$0.00"],
		[1, "0.01", "$0.01"],
		[10, "0.10", "$0.10"],
		[99, "0.99", "$0.99"],
		[100, "1.00", "$1.00"],
		[123_450, "1234.50", "$1,234.50"],
		[99_999, "999.99", "$999.99"],
		[100_000, "1000.00", "$1,000.00"],
		[10_000_000, "100000.00", "$100,000.00"],
		[123_456_789_012, "1234567890.12", "$1,234,567,890.12"],
		[-5, "-0.05", "-$0.05"],
		[-123_450, "-1234.50", "-$1,234.50"],
	])("%i cents is %s and reads %s", (cents, decimal, shown) => {
		expect(toDecimal(cents)).toBe(decimal);
		expect(formatDollars(cents)).toBe(shown);
	});

	afterEach(() => setFleetUnits(DEFAULT_UNITS));

	it.each(["USD", "EUR", "PLN", "CAD", "RSD"])(
		"reads %s as the runtime's own formatter",
		(currency) => {
			setFleetUnits({ ...DEFAULT_UNITS, currency });
			const format = new Intl.NumberFormat("en-US", {
				style: "currency",
				currency,
				minimumFractionDigits: 2,
			});
			// Up to 2^40 cents the formatter's floating point is exact to the cent.
			fc.assert(
				fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (cents) => {
					// Adding zero turns -0 into 0.
					expect(formatDollars(cents)).toBe(format.format(cents / 100 + 0));
				}),
			);
		},
	);

	it("reads the fleet's own sign and code, and no other", () => {
		setFleetUnits({ ...DEFAULT_UNITS, currency: "PLN" });
		expect(["45,50 zł", "45,50 zl", "PLN 45.50", "45.50"].map((text) => parseCents(text))).toEqual([
			4550, 4550, 4550, 4550,
		]);
		expect(["$45.50", "45.50 €", "USD 45.50"].map((text) => parseCents(text))).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});
});

describe("centsPerMile", () => {
	it.each([
		[0, 0, 0],
		[1250, 0, 0],
		[1250, -1, 0],
		[0, 10, 0],
		[85, 100, 1],
		[49, 100, 0],
		[50, 100, 1],
		[149, 100, 1],
		[150, 100, 2],
		[8450, 100, 85],
		[8449, 100, 84],
		[9950, 100, 100],
		[1, 3, 0],
		[2, 3, 1],
		[100_000_00, 1, 100_000_00],
	])("%i cents over %i miles is %i", (cents, miles, expected) => {
		expect(centsPerMile(cents, miles)).toBe(expected);
	});

	it("rounds half up, checked with whole numbers", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 2 ** 50 }),
				fc.integer({ min: 1, max: 2 ** 40 }),
				(cents, miles) => {
					const [c, m] = [BigInt(cents), BigInt(miles)];
					const [whole, rest] = [c / m, c % m];
					expect(BigInt(centsPerMile(cents, miles))).toBe(2n * rest >= m ? whole + 1n : whole);
				},
			),
			{ numRuns: 20_000 },
		);
		// Exact ties, which random values rarely hit.
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 2 ** 20 }),
				fc.integer({ min: 1, max: 2 ** 20 }),
				(whole, half) => {
					expect(centsPerMile((2 * whole + 1) * half, 2 * half)).toBe(whole + 1);
					expect(centsPerMile((2 * whole + 1) * half - 1, 2 * half)).toBe(whole);
				},
			),
		);
	});
});
