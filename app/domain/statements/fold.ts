/** Texts of a statement as they are compared: one header is written in several ways. */

const QUOTES = /["'`´“”„‟«»‘’‚‛]/g;
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g;

/**
 * A text without capitals, accents, quotation marks and needless blanks; `Paid to you : Tip` and
 * `Paid to you:Tip` are one.
 */
export function fold(text: string): string {
	return text
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replaceAll("ł", "l")
		.replaceAll("ß", "ss")
		.replace(QUOTES, "")
		.replace(INVISIBLE, "")
		.replace(/\s+/g, " ")
		.replace(/ ?: ?/g, ":")
		.trim();
}
