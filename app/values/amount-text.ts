/** Reads an amount of money as people, platforms and spreadsheets write it, sign and currency included. */
import { toPlainNumeral, ungroup } from "./numeral.ts";

export type ReadAmount =
	| {
			readonly kind: "amount";
			/** Negative with a minus sign on either side, or in parentheses. */
			readonly cents: number;
			/** Whether it has a sign or parentheses. */
			readonly isSigned: boolean;
			/** The sign or code beside it, in capitals: `$`, `US$`, `EUR`. */
			readonly currency: string | undefined;
			readonly wholeDigits: number;
			readonly decimals: number;
	  }
	/** Both numbers it can mean, such as 1250.00 and 1.25. */
	| { readonly kind: "ambiguous"; readonly readings: readonly [string, string] }
	| { readonly kind: "unreadable" };

const UNREADABLE = { kind: "unreadable" } as const;

/** Currencies whose sign is letters. */
const LETTER_SIGNS = new Set(["ZŁ", "ZL", "KČ", "KR", "FT", "LEI", "FR", "SFR"]);
/** Signs without their accent, and those that the runtime doesn't know. */
const OTHER_SIGNS: Readonly<Record<string, string>> = { ZL: "PLN", FR: "CHF", SFR: "CHF" };
const SIGN = /^(?:\p{L}{1,3}\p{Sc}|\p{Sc}(?:\p{L}{2,3})?)$/u;
let codes: ReadonlySet<string> | undefined;

function isCurrency(text: string): boolean {
	if (SIGN.test(text) || LETTER_SIGNS.has(text)) return true;
	codes ??= new Set(Intl.supportedValuesOf("currency"));
	return codes.has(text);
}

/** Whether a sign or a code beside an amount can mean a currency: `$`, `US$` and `USD` for USD. */
export function canMean(sign: string, currency: string): boolean {
	if (OTHER_SIGNS[sign] === currency) return true;
	const own = new Intl.NumberFormat("en-US", {
		style: "currency",
		currency,
		currencyDisplay: "narrowSymbol",
	})
		.formatToParts(0)
		.find(({ type }) => type === "currency")
		?.value.toUpperCase();
	if (sign === currency || own === undefined || !sign.includes(own)) return sign === currency;
	const country = sign.replace(own, () => "");
	return ["", currency.slice(0, 1), currency.slice(0, 2)].includes(country);
}

/**
 * The text around a number: signs and parentheses on the outside or the inside of a currency, in
 * capitals and without blanks.
 */
type Affix = { readonly marks: string; readonly currency: string };

function readAffix(text: string): Affix | undefined {
	const [, outer = "", currency, inner = ""] =
		/^([+\-()]*)([^+\-()]*)([+\-()]*)$/.exec(text.replaceAll(" ", "").toUpperCase()) ?? [];
	if (currency === undefined) return undefined;
	// `Fr.`, `kr.`
	const name = currency.replace(/(?<=\p{L})\.$/u, "");
	return name === "" || isCurrency(name) ? { marks: outer + inner, currency: name } : undefined;
}

/** One currency, or a sign and the code it can mean: `$45.50 USD`. */
function sameCurrency(before: string, after: string): string | undefined {
	if (before === "" || after === "" || before === after) return before || after;
	const [sign, code] = /^[A-Z]{3}$/.test(after) ? [before, after] : [after, before];
	return /^[A-Z]{3}$/.test(code) && canMean(sign, code) ? code : undefined;
}

/** How the marks on both sides of a number sign it; undefined if they don't belong together. */
function readSign(before: string, after: string): "" | "+" | "-" | undefined {
	if (before === "(" && after === ")") return "-";
	const marks = before + after;
	return marks === "" || marks === "+" || marks === "-" ? marks : undefined;
}

type Digits = { readonly whole: string; readonly fraction: string };

/** A number's digits on both sides of its decimal mark, if only one mark can be that. */
function splitDigits(text: string): Digits | readonly [string, string] | undefined {
	const inWhole = (part: string, fraction: string) => {
		const whole = part === "" ? "0" : ungroup(part);
		return whole === undefined ? undefined : { whole, fraction };
	};
	const [, before, mark = "", fraction = ""] = /^(.*)([.,٫])(\d*)$/.exec(text) ?? [];
	if (before === undefined || before.includes(mark)) return inWhole(text, "");
	// A leading 0 isn't followed by a grouping mark.
	const isEither = mark !== "٫" && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(before);
	if (!isEither) return inWhole(before, fraction);
	return [`${before}${fraction}.00`, `${before}.${fraction.replace(/(?<=..)0$/, "")}`];
}

/**
 * Cents of digits: decimals beyond the second may be zeros, or the remainder of a spreadsheet's
 * floating point, `6.079999999999999`, which is within a millionth of a cent.
 */
function toCents({ whole, fraction }: Digits): number | undefined {
	const [, two = "", more = ""] = /^(\d{0,2})(\d*)$/.exec(fraction) ?? [];
	const cents = Number(whole) * 100 + Number(two.padEnd(2, "0"));
	if (/^0*$/.test(more) || /^0{6}/.test(more)) return cents;
	return /^9{6}/.test(more) ? cents + 1 : undefined;
}

/** More whole digits aren't an amount but an id or a phone number. */
const MAX_WHOLE_DIGITS = 9;
const DASHES = /[−–‐‑﹣－]/g;
/** A decimal mark may be at either end: `.50`, `45.`; after letters it is theirs: `Fr.12` */
const SHAPE = /^(\D*?)((?:(?<!\p{L})[.,٫])?\d(?:[\d.,٫' ]*\d)?[.,٫]?)(\D*)$/u;

/** An amount that can mean one number of cents only. */
export function readAmount(text: string): ReadAmount {
	const plain = toPlainNumeral(text)
		.replace(DASHES, "-")
		.replaceAll("＋", "+")
		.replaceAll("（", "(")
		.replaceAll("）", ")")
		.replaceAll("．", ".")
		.replaceAll("，", ",")
		.replaceAll("＄", "$");
	const [, prefix, number = "", suffix = ""] = SHAPE.exec(plain) ?? [];
	if (prefix === undefined) return UNREADABLE;
	const [before, after] = [readAffix(prefix), readAffix(suffix)];
	if (!before || !after) return UNREADABLE;
	const sign = readSign(before.marks, after.marks);
	const currency = sameCurrency(before.currency, after.currency);
	// `45.-` is 45 in some countries.
	const isOpen = /[.,٫]$/.test(number) && after.marks !== "" && after.marks !== ")";
	if (sign === undefined || currency === undefined || isOpen) return UNREADABLE;
	const digits = splitDigits(number);
	if (!digits) return UNREADABLE;
	if (!("whole" in digits)) return { kind: "ambiguous", readings: digits };
	const cents = toCents(digits);
	if (cents === undefined || digits.whole.length > MAX_WHOLE_DIGITS) return UNREADABLE;
	return {
		kind: "amount",
		cents: cents === 0 || sign !== "-" ? cents : -cents,
		isSigned: sign !== "",
		currency: currency || undefined,
		wholeDigits: digits.whole.length,
		decimals: digits.fraction.length,
	};
}
