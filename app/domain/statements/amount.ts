/** Amounts as platforms and the spreadsheets in between write them. */

/** A blank cell or a lone dash, as accounting formats show nothing. */
const NOTHING = /^[-–—−]?$/;
const PLAIN = /^([+\-−]?)(\d{1,9})(?:[.,](\d{1,2}))?$/;
/** Only with decimals after it is a thousands separator sure to be one. */
const GROUPED = [
	/^([+\-−]?)(\d{1,3}(?:,\d{3}){1,2})\.(\d{1,2})$/,
	/^([+\-−]?)(\d{1,3}(?:[. \u00a0\u202f]\d{3}){1,2}),(\d{1,2})$/,
] as const;

/**
 * Cents of a cell, with its sign; a blank one is 0. Null where there is no telling: `5-Apr`,
 * `########`, `3.51913E+11`, and `1,234`, which is a thousand or one and a bit.
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

/** True for a cell that holds an amount with decimals: a count, an id or a phone number has none. */
export function isMoney(cell: string): boolean {
	return /[.,]\d{1,2}$/.test(cell.trim()) && parseAmount(cell) !== null;
}

/** True for a cell of which a spreadsheet kept no value: `########`, `#REF!`, `#WERT!`. */
export function isBroken(cell: string): boolean {
	return /^#(#+|[\p{L}\d/]+[!?]?)$/u.test(cell.trim());
}
