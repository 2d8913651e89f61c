/** Amounts as written by platforms and by the spreadsheets in between. */

/** A blank cell or a single dash, the accounting format for nothing. */
const NOTHING = /^[-–—−]?$/;
const PLAIN = /^([+\-−]?)(\d{1,9})(?:[.,](\d{1,2}))?$/;
/** Only with decimals after it is it certainly a thousands separator. */
const GROUPED = [
	/^([+\-−]?)(\d{1,3}(?:,\d{3}){1,2})\.(\d{1,2})$/,
	/^([+\-−]?)(\d{1,3}(?:[. \u00a0\u202f]\d{3}){1,2}),(\d{1,2})$/,
] as const;

/**
 * A cell's cents with its sign; a blank one is 0. Null if it is ambiguous or unreadable: `5-Apr`,
 * `########`, `3.51913E+11`, and `1,234`, which may be a thousand or one and a bit.
 */
export function parseAmount(cell: string): number | null {
	const text = cell.trim();
	if (NOTHING.test(text)) return 0;
	const match = PLAIN.exec(text) ?? GROUPED[0].exec(text) ?? GROUPED[1].exec(text);
	if (!match) return null;
	const [, sign = "", whole = "", fraction = ""] = match;
	const cents = Number(whole.replace(/\D/g, "")) * 100 + Number(fraction.padEnd(2, "0"));
	return cents === 0 || sign === "" || sign === "+" ? cents : -cents;
}

/** Whether a cell is an amount with decimals, which counts, ids and phone numbers don't have. */
export function isMoney(cell: string): boolean {
	return /[.,]\d{1,2}$/.test(cell.trim()) && parseAmount(cell) !== null;
}

/** Whether a spreadsheet kept no value of a cell: `########`, `#REF!`, `#WERT!`. */
export function isBroken(cell: string): boolean {
	return /^#(#+|[\p{L}\d/]+[!?]?)$/u.test(cell.trim());
}
