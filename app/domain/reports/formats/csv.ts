/**
 * A report as CSV: UTF-8 with a byte order mark, numbers left as numbers (docs/product.md, 'Reports
 * and exports').
 */
import { BYTE_ORDER_MARK, type CsvCell, csvLines } from "../../../values/csv.ts";
import { inUnits } from "../../../values/fleet-units.ts";
import { toDecimal } from "../../../values/money.ts";
import {
	addRow,
	type Cell,
	type Column,
	emptySums,
	type ReportDocument,
	type Row,
	type Section,
	textOf,
} from "../document.ts";

/** A cell for machines: `2026-11-21`, `45210`, `1234.50`, `33.3`. */
function plainCell({ kind }: Column, cell: Cell | undefined): CsvCell {
	if (cell === null || cell === undefined) return null;
	if (typeof cell === "string" || typeof cell === "object") return textOf(cell);
	if (kind === "cents") return toDecimal(cell);
	if (kind === "share" || kind === "change") return tenths(cell);
	return String(cell);
}

function tenths(value: number): string {
	const digits = String(Math.abs(value)).padStart(2, "0");
	return `${value < 0 ? "-" : ""}${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

const plainRow = (columns: readonly Column[], row: Row) =>
	columns.map((column, position) => plainCell(column, row[position]));

/** A column's heading; a percentage below it is a bare number. */
const headOf = ({ head, kind }: Column) =>
	kind === "share" || kind === "change" ? `${head} (%)` : inUnits(head);

async function* sectionText(section: Section): AsyncGenerator<string> {
	const { title, note, columns, pages, totals, empty } = section;
	yield `\r\n${csvLines([[title], ...(note ? [[note]] : []), columns.map(headOf)])}`;
	const sums = emptySums(columns);
	let isEmpty = true;
	for await (const page of pages()) {
		if (page.length === 0) continue;
		isEmpty = false;
		for (const row of page) addRow(sums, columns, row);
		yield csvLines(page.map((row) => plainRow(columns, row)));
	}
	if (isEmpty) yield csvLines([[empty]]);
	else if (totals) yield csvLines([plainRow(columns, totals(sums))]);
}

/**
 * The report as text, page by page: its title and facts, then every section under its own headings.
 */
export async function* writeCsv(document: ReportDocument): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	yield encoder.encode(
		BYTE_ORDER_MARK +
			csvLines([[document.title], ...document.facts.map(([label, text]) => [label, textOf(text)])]),
	);
	for (const section of document.sections)
		for await (const text of sectionText(section)) yield encoder.encode(text);
}
