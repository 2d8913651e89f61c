/** Folds texts of a statement for comparison, since headings vary. */

import { toPlain } from "../../values/fold.ts";

const QUOTES = /["'`´“”„‟«»‘’‚‛]/g;
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g;

/**
 * A text without case, accents, quotation marks and extra spaces; `Paid to you : Tip` and `Paid to
 * you:Tip` are the same.
 */
export function foldHeading(text: string): string {
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

/** A driver's name as it is remembered, in letters that everyone types: `Øster` as `oster`. */
export const foldDriver = (name: string): string => toPlain(foldHeading(name));
