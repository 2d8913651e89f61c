/** Amounts as written by platforms and by the spreadsheets in between. */
import { readAmount } from "../../values/amount-text.ts";

/** A blank cell, or the accounting format for nothing: a dash, possibly beside a currency's sign. */
const NOTHING = /^\p{Sc}?\s*[-–—−]?\s*\p{Sc}?$/u;
const HAS_DASH = /[-–—−]/;

function isNothing(cell: string): boolean {
	const text = cell.trim();
	return text === "" || (NOTHING.test(text) && HAS_DASH.test(text));
}

/**
 * A cell's cents with its sign; a blank one is 0. Null if it is ambiguous or unreadable: `5-Apr`,
 * `########`, `3.51913E+11`, and `1,234`, which may be a thousand or one and a bit.
 */
export function parseAmount(cell: string): number | null {
	if (isNothing(cell)) return 0;
	const read = readAmount(cell);
	return read.kind === "amount" ? read.cents : null;
}

/** The sign or code of the currency in a cell, if it has one. */
export function currencyIn(cell: string): string | undefined {
	const read = readAmount(cell);
	return read.kind === "amount" ? read.currency : undefined;
}

/** Whether a cell is an amount with decimals, which counts, ids and phone numbers don't have. */
export function isMoney(cell: string): boolean {
	const read = readAmount(cell);
	return read.kind === "amount" && read.decimals > 0;
}

/** Whether a spreadsheet kept no value of a cell: `########`, `#REF!`, `#WERT!`. */
export function isBroken(cell: string): boolean {
	return /^#(#+|[\p{L}\d/]+[!?]?)$/u.test(cell.trim());
}
