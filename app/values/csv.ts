/** CSV: RFC 4180, text that no spreadsheet runs (docs/product.md, 'Reports and exports'). */
import Papa from "papaparse";

/**
 * A cell as it is written: numbers are decimal text by now, so that no digit changes on the way.
 */
export type CsvCell = string | null;

/** What a file starts with, so that a spreadsheet takes it for UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe before it, plain negative
 * numbers do not. papaparse's own pattern lets through a formula that is followed by a line break.
 */
const FORMULA = /^(?!-\d+(?:\.\d+)?$)[=+\-@\t\r\n|＝＋－＠]/;

/**
 * What is quoted beside what RFC 4180 asks for: LibreOffice also splits at semicolons and tabs unless
 * told otherwise, and then runs what comes after one; and digits such as `0042` that it keeps when it
 * is told to take quoted cells as text (docs/decisions/0068).
 */
const QUOTED = /[;\t]|^0\d+$|^\d{16,}$|^\d+(?:\.\d+)?e[+-]?\d+$/i;

const CSV: Papa.UnparseConfig = {
	newline: "\r\n",
	escapeFormulae: FORMULA,
	quotes: (cell: unknown) => typeof cell === "string" && QUOTED.test(cell),
};

/** Rows as lines, each ended. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
	rows.length > 0 ? `${Papa.unparse(rows as CsvCell[][], CSV)}\r\n` : "";
