/** Amounts in files: any way of writing one is read back as the same cents, or not at all. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canMean, readAmount } from "./amount-text.ts";

const centsOf = (text: string) => {
	const read = readAmount(text);
	return read.kind === "amount" ? read.cents : read.kind;
};

it.each([
	["(6.01)", -601],
	["-$6.02", -602],
	["$(6.03)", -603],
	["($6.03)", -603],
	["(6.03) €", -603],
	["-6.0400", -604],
	["6.05-", -605],
	["6.05 -", -605],
	["-6.06 €", -606],
	["€ -6.06", -606],
	["6.06 EUR-", -606],
	["- 6.07", -607],
	["−6.07", -607],
	["–6.07", -607],
	["－６．０７", -607],
	["+6.07", 607],
	["6.07+", 607],
	["-1\u2009234,56", -123_456],
	["-1'234.57", -123_457],
	["Fr. 12.50", 1250],
	["USD12.50", 1250],
	["CHF12", 1200],
	["zł1.234,50", 123_450],
	["-kr12,50", -1250],
	["Fr.12.50", 1250],
	["CHF-1’234.50", -123_450],
	["kr. 1.234,50", 123_450],
	["1234,50 zł", 123_450],
	["1 234,50 $ US", 123_450],
	["R$ 1.234,50", 123_450],
	["-0", 0],
	["(0.00)", 0],
])("%j is %i cents", (text, cents) => {
	expect(centsOf(text)).toBe(cents);
});

describe("decimals beyond the second", () => {
	it.each([
		["6.0400", 604],
		["0.250", 25],
		["1234.500", 123_450],
		["6.079999999999999", 608],
		["-6.079999999999999", -608],
		["0.30000000000000004", 30],
		["1234.5699999999997", 123_457],
		["99.99999999999999", 10_000],
		["0.1", 10],
		["6.0799", "unreadable"],
		["6.0799999", "unreadable"],
		["6.040000001", 604],
		["6.04000001", "unreadable"],
		["6.045", "ambiguous"],
		["6.0450", "unreadable"],
		["12345.678", "unreadable"],
	])("%j is %j", (text, cents) => {
		expect(centsOf(text)).toBe(cents);
	});

	it("are no obstacle to a sum that a spreadsheet wrote", () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 50 }),
				(cents) => {
					const sum = cents.reduce((total, each) => total + each, 0);
					const text = String(cents.reduce((total, each) => total + each / 100, 0));
					expect(centsOf(text)).toBe(sum);
				},
			),
			{ numRuns: 5000 },
		);
	});
});

it.each([
	["1,250", ["1250.00", "1.25"]],
	["1.250", ["1250.00", "1.25"]],
	["-1.255", ["1255.00", "1.255"]],
	["45,210 €", ["45210.00", "45.21"]],
	["100.000", ["100000.00", "100.00"]],
])("%j can mean two amounts", (text, readings) => {
	expect(readAmount(text)).toEqual({ kind: "ambiguous", readings });
});

it.each([
	"",
	"-",
	"5-Apr",
	"########",
	"3.51913E+11",
	"45.-",
	"45,–",
	"((6.01))",
	"(6.01",
	"6.01)",
	"-(6.01)",
	"(-6.01)",
	"--6.01",
	"-6.01-",
	"€5 USD",
	"$5 €",
	"ABC 5.00",
	"ABC5.00",
	"A5",
	"5 km",
	"5 %",
	"5 h",
	"12:30",
	"10-12",
	"21.09.2026",
	"1,2,3",
	"0,123,456",
	"1 234,567.89",
	"+48 600 100 200",
	"1234567890",
	"12\n50",
])("%j is no amount", (text) => {
	expect(readAmount(text)).toEqual({ kind: "unreadable" });
});

const LOCALES =
	"en-US en-GB en-IN en-ZA en-CA de-DE de-CH de-AT de-LI fr-FR fr-CA fr-CH it-IT it-CH es-ES es-MX pt-PT pt-BR pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG el-GR sv-SE nb-NO da-DK fi-FI et-EE lv-LV lt-LT sl-SI hr-HR uk-UA ru-RU tr-TR ar-EG ar-AE fa-IR ur-PK he-IL hi-IN mr-IN ne-NP bn-BD my-MM th-TH ja-JP ko-KR zh-CN".split(
		" ",
	);
const FORMATS = LOCALES.flatMap((locale) => [
	new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
	new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false }),
	...["USD", "EUR", "PLN", "CHF", "INR"].flatMap((currency) =>
		(["symbol", "narrowSymbol", "code"] as const).flatMap((currencyDisplay) =>
			(["standard", "accounting"] as const).map(
				(currencySign) =>
					new Intl.NumberFormat(locale, {
						style: "currency",
						minimumFractionDigits: 2,
						...{ currency, currencyDisplay, currencySign },
					}),
			),
		),
	),
]);

it("reads what the formatters of other countries write as the same cents or not at all", () => {
	const read = new Map<Intl.NumberFormat, number>();
	fc.assert(
		fc.property(
			fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
			fc.constantFrom(...FORMATS),
			(cents, format) => {
				const found = readAmount(format.format(cents / 100));
				if (found.kind === "amount") {
					expect(found.cents).toBe(cents);
					read.set(format, (read.get(format) ?? 0) + 1);
				}
			},
		),
		{ numRuns: 40_000 },
	);
	// The Bulgarian sign of the US dollar is two abbreviated words.
	const unread = FORMATS.filter(
		(format) => !read.has(format) && !format.format(0).includes("щ.д."),
	).map((format) => {
		const { locale, style, currency } = format.resolvedOptions();
		return `${locale} ${style} ${currency}: ${format.format(-1234.5)}`;
	});
	expect(unread).toEqual([]);
});

it("knows which signs can mean a currency", () => {
	expect(["$", "US$", "$US", "USD"].filter((sign) => !canMean(sign, "USD"))).toEqual([]);
	expect(["€", "EUR", "CA$", "A$", "£", "CAD"].filter((sign) => canMean(sign, "USD"))).toEqual([]);
	expect(["$", "CA$", "C$", "CAD"].filter((sign) => !canMean(sign, "CAD"))).toEqual([]);
	expect(["ZŁ", "PLN"].filter((sign) => !canMean(sign, "PLN"))).toEqual([]);
	expect(["€", "EUR"].filter((sign) => !canMean(sign, "EUR"))).toEqual([]);
});
