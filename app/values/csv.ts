/**
 * CSV: RFC 4180, without text that a spreadsheet would run (docs/product.md, 'Reports and
 * exports').
 */
import Papa from "papaparse";

/** A cell's value; numbers are already decimal text, so that no digit changes on the way. */
export type CsvCell = string | null;

/** Marks a file as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * Text that a spreadsheet would run as a formula is prefixed with an apostrophe; plain negative
 * numbers aren't. papaparse's own pattern misses a formula followed by a line break.
 */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r\n|＝＋－＠]/;

/**
 * What is quoted beyond RFC 4180: semicolons and tabs, since LibreOffice also splits there by
 * default and would run what follows; and digits such as `0042`, which it keeps if told to treat
 * quoted cells as text (docs/decisions/0068).
 */
const QUOTED = /[;\t]|^0\d+$|^\d{16,}$|^\d+(?:\.\d+)?e[+-]?\d+$/i;

const CSV: Papa.UnparseConfig = {
	newline: "\r\n",
	escapeFormulae: FORMULA,
	quotes: (cell: unknown) => typeof cell === "string" && QUOTED.test(cell),
};

/** Rows as terminated lines. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
	rows.length > 0 ? `${Papa.unparse(rows as CsvCell[][], CSV)}\r\n` : "";
