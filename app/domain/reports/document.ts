/**
 * A report before it is a file: its contents in typed columns, independent of the format. The three
 * writers in formats/ know this type and nothing about mileage, requests or fees.
 */
import { formatDate, formatTimeOfDay, isCalendarDate } from "../../values/calendar-date.ts";
import { formatCount } from "../../values/count.ts";
import { formatDollars } from "../../values/money.ts";

/**
 * A column's type: text; `YYYY-MM-DD`; `YYYY-MM-DD HH:MM` in the fleet's time zone; whole miles or
 * a count; cents; tenths of a percent, as a share or as a change.
 */
export type ColumnKind = "text" | "date" | "moment" | "number" | "cents" | "share" | "change";

export type Column = {
	readonly head: string;
	readonly kind: ColumnKind;
	/** Characters it needs: a width in a workbook, a share of the line on paper. */
	readonly width: number;
};

/** What someone typed, and its replacement if none of a PDF's fonts can write it. */
export type Typed = { readonly text: string; readonly otherwise: string };
/** Text and days are text, everything else a whole number; null is an empty cell. */
export type Cell = string | number | null | Typed;

/** A text as every other format has it. */
export const textOf = (text: string | Typed): string =>
	typeof text === "string" ? text : text.text;

/** Latin letters, which every font has. */
const IS_LATIN = /^[ -~\u00a0-\u024f]*$/;

/** What someone typed about or for a driver, whose code can replace it. */
export const typedCell = (text: string | null, code: string | null): Cell =>
	text === null || IS_LATIN.test(text) ? text : { text, otherwise: code ?? "N/A" };
export type Row = readonly Cell[];

export type Chart = {
	/** The alternative text. */
	readonly alt: string;
	readonly unit: "number" | "cents";
	/** One color each, stacked in a bar. */
	readonly series: readonly string[];
	readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[];
};

export type Section = {
	/** At most 31 characters without `[]:*?/\`, since it also names a sheet. */
	readonly title: string;
	readonly note?: string;
	readonly columns: readonly Column[];
	/** Rows, page by page, read while the file is written. */
	readonly pages: () => AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
	/**
	 * The line under the rows, made from the sums above it, so that a total always equals its column.
	 * @param sums of every column of whole numbers, 0 elsewhere
	 */
	readonly totals?: (sums: readonly number[]) => Row;
	/**
	 * Consecutive rows with the same first `columns` cells belong together: in a PDF they get a
	 * heading and a total of their own.
	 */
	readonly group?: { readonly columns: number };
	readonly chart?: Chart;
	/** The text shown when there are no rows. */
	readonly empty: string;
};

export type ReportDocument = {
	readonly title: string;
	/** What it is about, and when and for whom it was generated: label and text. */
	readonly facts: readonly (readonly [label: string, text: string | Typed])[];
	readonly sections: readonly Section[];
	/** Signature lines in a PDF, under a sentence. */
	readonly signature?: { readonly statement: string; readonly lines: readonly string[] };
	readonly author: string;
	/** UTC milliseconds. */
	readonly madeAt: number;
};

/** The maximum number of rows in a PDF (docs/product.md, 'Reports and exports'). */
export const MAX_PDF_ROWS = 5000;

/** Columns of whole numbers, which are right-aligned and add up. */
export const isNumeric = ({ kind }: Column) =>
	kind !== "text" && kind !== "date" && kind !== "moment";

/** Adds a row to the sums of its columns. */
export function addRow(sums: number[], columns: readonly Column[], row: Row): void {
	for (const [position, column] of columns.entries()) {
		const cell = row[position];
		if (isNumeric(column) && typeof cell === "number")
			sums[position] = (sums[position] ?? 0) + cell;
	}
}

/** The sums of no rows. */
export const emptySums = (columns: readonly Column[]) => columns.map(() => 0);

/** `Nov 21, 2026, 2:05 PM` of `2026-11-21 14:05`. */
function shownMoment(text: string): string {
	const [date = "", time = ""] = text.split(" ");
	return isCalendarDate(date) ? `${formatDate(date)}, ${formatTimeOfDay(time)}` : text;
}

/**
 * A cell for people: `Nov 21, 2026`, `Nov 21, 2026, 2:05 PM`, `45,210`, `$1,234.50`, `33.3%`, or
 * `n/a` for a change from zero.
 */
export function formatCell(kind: ColumnKind, cell: Cell | undefined): string {
	if (cell === null && kind === "change") return "n/a";
	if (cell === null || cell === undefined) return "";
	if (typeof cell === "object") return cell.text;
	// A word in a column of days, such as 'Total', is kept.
	if (typeof cell === "string") {
		if (kind === "moment") return shownMoment(cell);
		return kind === "date" && isCalendarDate(cell) ? formatDate(cell) : cell;
	}
	switch (kind) {
		case "cents":
			return formatDollars(cell);
		case "share":
			return percent(cell);
		case "change":
			return `${cell > 0 ? "+" : ""}${percent(cell)}`;
		default:
			return formatCount(cell);
	}
}

/** `33.3%` from tenths of a percent, or `1,234.5%`. */
export function percent(tenths: number): string {
	const all = Math.abs(tenths);
	return `${tenths < 0 ? "-" : ""}${formatCount(Math.floor(all / 10))}.${all % 10}%`;
}

/**
 * `part` of `whole` in tenths of a percent, rounded half up; null if there is no whole. Credits
 * that outweigh their fees have no share.
 */
export function toTenthsOfPercent(part: number, whole: number): number | null {
	return whole > 0 ? Math.floor((2000 * Math.max(0, part) + whole) / (2 * whole)) : null;
}
