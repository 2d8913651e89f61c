/**
 * A workbook, streamed: a first sheet with the facts, then one per section, each a table with typed
 * columns, frozen headings and its total as a value. Only the current page is in memory
 * (docs/decisions/0014).
 */
import { type CalendarDate, daysBetween } from "../../../values/calendar-date.ts";
import { inUnits } from "../../../values/fleet-units.ts";
import { beginZip } from "../../kernel/zip.ts";
import {
	addRow,
	type Cell,
	type Column,
	emptySums,
	isNumeric,
	type ReportDocument,
	type Row,
	type Section,
	textOf,
} from "../document.ts";
import {
	BLANK_LINE_STYLE,
	contentTypes,
	coreProperties,
	HEAD_STYLE,
	LABEL_STYLE,
	NUMBER_HEAD_STYLE,
	packageRelationships,
	SENTENCE_STYLE,
	type SheetPart,
	sheetEnd,
	sheetStart,
	styleOf,
	stylesXml,
	TITLE_STYLE,
	totalStyleOf,
	workbookRelationships,
	workbookXml,
} from "./workbook-parts.ts";
import { cellText } from "./xml.ts";

/** The maximum number of rows in a sheet, including headings; more continue in the next. */
const MAX_SHEET_ROWS = 1_048_576;

/** `A` for 0. A report has no more than 26 columns. */
const letterOf = (position: number) => String.fromCharCode(65 + position);

/** Days since the serial day 0 of workbooks, 1899-12-30. */
const serialOf = (date: string) => daysBetween("1899-12-30" as CalendarDate, date as CalendarDate);

/** `2026-11-21 14:05` as days and their fraction. */
function serialMoment(text: string): number {
	const [date = "", time = "00:00"] = text.split(" ");
	const [hours = 0, minutes = 0] = time.split(":").map(Number);
	return serialOf(date) + (hours * 60 + minutes) / 1440;
}

function cellXml(
	row: number,
	position: number,
	kind: Column["kind"],
	given: Cell | undefined,
	style: number,
): string {
	const cell = given !== null && typeof given === "object" ? given.text : given;
	const place = `r="${letterOf(position)}${row}" s="${style}"`;
	if (cell === null || cell === undefined) return `<c ${place}/>`;
	if (typeof cell === "number") {
		const value =
			kind === "cents" ? cell / 100 : kind === "share" || kind === "change" ? cell / 1000 : cell;
		return `<c ${place}><v>${value}</v></c>`;
	}
	if (kind === "date" || kind === "moment") {
		// A word in a column of days, such as 'Total', is still text.
		if (/^\d{4}-\d\d-\d\d/.test(cell))
			return `<c ${place}><v>${kind === "date" ? serialOf(cell) : serialMoment(cell)}</v></c>`;
	}
	return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${cellText(cell)}</t></is></c>`;
}

/** @param height in points, unless it is left to the reader */
function rowXml(row: number, cells: readonly string[], height?: number): string {
	return `<row r="${row}"${height ? ` ht="${height}" customHeight="1"` : ""}>${cells.join("")}</row>`;
}

function tableRow(row: number, columns: readonly Column[], cells: Row, isTotal = false): string {
	const style = isTotal ? totalStyleOf : styleOf;
	return rowXml(
		row,
		columns.map(({ kind }, position) => cellXml(row, position, kind, cells[position], style(kind))),
	);
}

/** A two-line heading, whether or not the program adjusts row heights. */
function headRow(columns: readonly Column[]): string {
	const cells = columns.map((column, position) =>
		cellXml(
			1,
			position,
			"text",
			inUnits(column.head),
			isNumeric(column) ? NUMBER_HEAD_STYLE : HEAD_STYLE,
		),
	);
	return rowXml(1, cells, 32);
}

/** The first sheet: what the report is about, and what its sections say besides their rows. */
function* coverSheet({ title, facts, sections, signature }: ReportDocument): Generator<string> {
	let row = 1;
	const line = (
		label: string,
		text: string | undefined,
		style: number,
		textStyle = styleOf("text"),
		height?: number,
	) => {
		const cells = [
			cellXml(row, 0, "text", label, style),
			...(text === undefined ? [] : [cellXml(row, 1, "text", text, textStyle)]),
		];
		return rowXml(row++, cells, height);
	};
	yield sheetStart([{ width: 24 }, { width: 90 }], false);
	yield line(title, undefined, TITLE_STYLE);
	row += 1;
	for (const [label, text] of facts) yield line(label, textOf(text), LABEL_STYLE);
	row += 1;
	for (const section of sections) yield line(section.title, section.note ?? "", LABEL_STYLE);
	if (signature) {
		row += 1;
		yield line(signature.statement, undefined, SENTENCE_STYLE);
		for (const each of signature.lines) yield line(each, "", LABEL_STYLE, BLANK_LINE_STYLE, 32);
	}
	yield sheetEnd();
}

type Sheet = { readonly part: () => SheetPart; readonly xml: AsyncIterable<string> };

/** The sheets of a section: one, or as many as its rows need. */
function* sectionSheets(
	{ title, columns, pages, totals, empty }: Section,
	most: number,
): Generator<Sheet> {
	const source = pages();
	const iterator: Iterator<readonly Row[]> | AsyncIterator<readonly Row[]> =
		Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
	const last = letterOf(columns.length - 1);
	const sums = emptySums(columns);
	let left: readonly Row[] = [];
	let isEnd = false;
	for (let count = 1; count === 1 || !isEnd; count++) {
		let row = 1;
		async function* xml(): AsyncGenerator<string> {
			yield sheetStart(columns, true) + headRow(columns);
			for (;;) {
				// A sheet's last row is reserved for the total.
				const taken = left.slice(0, most - 1 - row);
				left = left.slice(taken.length);
				for (const each of taken) addRow(sums, columns, each);
				if (taken.length > 0) yield taken.map((each) => tableRow(++row, columns, each)).join("");
				if (left.length > 0) break;
				const next = await iterator.next();
				if (next.done) {
					isEnd = true;
					break;
				}
				left = next.value;
			}
			const filtered = `A1:${last}${row}`;
			if (isEnd && row === 1 && count === 1) yield tableRow(2, columns, [empty]);
			else if (isEnd && totals) yield tableRow(row + 1, columns, totals(sums), true);
			yield sheetEnd(filtered);
		}
		const name = count === 1 ? title : `${title.slice(0, 26)} (${count})`;
		yield { xml: xml(), part: () => ({ name, filter: `$A$1:$${last}$${row}` }) };
	}
}

/**
 * The workbook's bytes, in pieces as they become ready.
 * @param mostSheetRows rows per sheet, including headings and total
 */
export async function* writeXlsx(
	document: ReportDocument,
	mostSheetRows = MAX_SHEET_ROWS,
): AsyncGenerator<Uint8Array> {
	const { addText, end } = beginZip(document.madeAt);
	const parts: SheetPart[] = [{ name: "Report" }];
	yield* addText("xl/worksheets/sheet1.xml", coverSheet(document));
	for (const section of document.sections)
		for (const sheet of sectionSheets(section, mostSheetRows)) {
			yield* addText(`xl/worksheets/sheet${parts.length + 1}.xml`, sheet.xml);
			parts.push(sheet.part());
		}
	yield* addText("xl/styles.xml", [stylesXml()]);
	yield* addText("xl/workbook.xml", [workbookXml(parts)]);
	yield* addText("xl/_rels/workbook.xml.rels", [workbookRelationships(parts)]);
	yield* addText("docProps/core.xml", [
		coreProperties(document.title, document.author, document.madeAt),
	]);
	yield* addText("_rels/.rels", [packageRelationships()]);
	yield* addText("[Content_Types].xml", [contentTypes(parts)]);
	yield* end();
}
