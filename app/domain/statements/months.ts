/** Months by name. */
import { foldHeading } from "./heading.ts";

/**
 * The beginnings of month names, folded: English, German, Polish, Portuguese, Spanish, French,
 * Romanian, Italian and Dutch, in which no two months share one.
 */
const MONTHS: readonly (readonly string[])[] = [
	["jan", "sty", "ene", "ian", "gen"],
	["feb", "lut", "fev"],
	["mar", "mrz", "maerz", "mrt", "maa"],
	["apr", "kwi", "abr", "avr"],
	["may", "mai", "maj", "mag", "mei"],
	["jun", "cze", "juin", "iun", "giu"],
	["jul", "lip", "juil", "iul", "lug"],
	["aug", "sie", "ago", "aou"],
	["sep", "wrz", "set"],
	["oct", "okt", "paz", "out", "ott"],
	["nov", "lis", "noi"],
	["dec", "dez", "gru", "dic"],
];

/** The number of a month from its name or the beginning of it, `9`; empty for any other word. */
export function monthOf(word: string): string {
	const folded = foldHeading(word);
	const at = MONTHS.findIndex((starts) => starts.some((start) => folded.startsWith(start)));
	return at < 0 ? "" : String(at + 1);
}
