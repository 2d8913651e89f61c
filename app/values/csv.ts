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

/** Rows as lines, each ended. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
	rows.length > 0
		? `${Papa.unparse(rows as CsvCell[][], { newline: "\r\n", escapeFormulae: FORMULA })}\r\n`
		: "";
