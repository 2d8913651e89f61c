/**
 * Digits, blanks and grouping marks, as people and programs write them. Part of the service worker,
 * for odometer readings.
 */

/** Zero-width marks that Arabic and Hebrew number formats put around a sign or a number. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/g;
/** Thin, narrow, no-break and other spaces; never a line break. */
const BLANKS = /[\p{Zs}\t]/gu;
/** Apostrophes as grouping marks; the Arabic thousands separator can't mean anything else either. */
const APOSTROPHES = /[’‘ʼ＇´`\u066c]/g;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
const DIGIT = /^\p{Nd}$/u;

/** The value of a decimal digit of any script; Unicode lists each script's from 0 to 9. */
function digitOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	let first = code;
	while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
	return String((code - first) % 10);
}

/**
 * A text with ASCII digits, a plain space for any blank and `'` for any apostrophe, without blanks
 * at its ends.
 */
export function toPlainNumeral(text: string): string {
	return text
		.replace(DIRECTION_MARKS, "")
		.replace(OTHER_DIGITS, digitOf)
		.replace(BLANKS, " ")
		.replace(APOSTROPHES, "'")
		.trim();
}

const GROUPED = /^[1-9]\d{0,2}([,.' ])\d{3}(?:\1\d{3})*$/;
/** `12,34,567`, as in India. */
const LAKHS = /^[1-9]\d?(?:,\d{2})+,\d{3}$/;

/**
 * The digits of a whole number, grouped or not: `1 234 567`, `1.234.567`, `1'234`. Nothing for any
 * other text. Whether `1,234` is grouped at all depends on what it measures.
 */
export function ungroup(text: string): string | undefined {
	if (/^\d+$/.test(text)) return text;
	return GROUPED.test(text) || LAKHS.test(text) ? text.replace(/\D/g, "") : undefined;
}
