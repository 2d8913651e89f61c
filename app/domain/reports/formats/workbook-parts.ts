/**
 * The parts of a workbook other than its rows (ECMA-376, SpreadsheetML): styles, the list of
 * sheets, a sheet's start and end.
 */
import { fleetSign } from "../../../values/fleet-units.ts";
import type { Column, ColumnKind } from "../document.ts";
import { xmlText } from "./xml.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/**
 * The formats of columns, in the order of the styles below; 3 and 4 are built in, custom ones start
 * at 164.
 */
const KINDS = [
	"text",
	"date",
	"moment",
	"number",
	"cents",
	"share",
	"change",
] as const satisfies readonly ColumnKind[];
const FORMATS: Readonly<Record<ColumnKind, number>> = {
	text: 0,
	date: 164,
	moment: 165,
	number: 3,
	cents: 166,
	share: 167,
	change: 168,
};

/**
 * Style 0 is plain; then one per type, one per type in bold for totals, headings of text and of
 * numbers, the title.
 */
export const styleOf = (kind: ColumnKind) => 1 + KINDS.indexOf(kind);
export const totalStyleOf = (kind: ColumnKind) => 1 + KINDS.length + KINDS.indexOf(kind);
export const HEAD_STYLE = 1 + 2 * KINDS.length;
export const NUMBER_HEAD_STYLE = HEAD_STYLE + 1;
export const TITLE_STYLE = HEAD_STYLE + 2;
export const LABEL_STYLE = HEAD_STYLE + 3;
/** A sentence that overflows into the empty cells beside it. */
export const SENTENCE_STYLE = HEAD_STYLE + 4;
/** A line to write on. */
export const BLANK_LINE_STYLE = HEAD_STYLE + 5;

export function stylesXml(): string {
	const cell = (format: number, font: number, fill: number, border: number, alignment = "") =>
		`<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${
			alignment ? ` applyAlignment="1"><alignment ${alignment}/></xf>` : "/>"
		}`;
	const top = 'vertical="top"';
	// Text and days are aligned with their heading, not with the number before them.
	const left = 'horizontal="left" vertical="top" indent="1"';
	const alignmentOf = (kind: ColumnKind) =>
		kind === "text" ? `${left} wrapText="1"` : kind === "date" || kind === "moment" ? left : top;
	const cells = [
		'<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
		...KINDS.map((kind) => cell(FORMATS[kind], 0, 0, 0, alignmentOf(kind))),
		...KINDS.map((kind) => cell(FORMATS[kind], 1, 0, 1, alignmentOf(kind))),
		cell(0, 1, 2, 2, 'horizontal="left" vertical="center" indent="1" wrapText="1"'),
		cell(0, 1, 2, 2, 'horizontal="right" vertical="center" wrapText="1"'),
		cell(0, 2, 0, 0),
		cell(0, 1, 0, 0, top),
		cell(0, 0, 0, 0),
		cell(0, 0, 0, 2),
	];
	const font = (more: string, size = 11) =>
		`<font>${more}<sz val="${size}"/><name val="Calibri"/><family val="2"/></font>`;
	const noLines = "<left/><right/>";
	return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="5"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="166" formatCode="&quot;${fleetSign()}&quot;#,##0.00"/><numFmt numFmtId="167" formatCode="#,##0.0%"/><numFmt numFmtId="168" formatCode="\\+#,##0.0%;\\-#,##0.0%;0.0%"/></numFmts><fonts count="3">${font("")}${font("<b/>")}${font("<b/>", 16)}</fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE6ECF3"/><bgColor indexed="64"/></patternFill></fill></fills><borders count="3"><border>${noLines}<top/><bottom/><diagonal/></border><border>${noLines}<top style="thin"><color auto="1"/></top><bottom/><diagonal/></border><border>${noLines}<top/><bottom style="thin"><color auto="1"/></bottom><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join("")}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** A table's headings are frozen, and repeated on every printed page. */
export function sheetStart(columns: readonly Pick<Column, "width">[], hasHead: boolean): string {
	const widths = columns.map(
		({ width }, position) =>
			`<col min="${position + 1}" max="${position + 1}" width="${width + 2}" customWidth="1"/>`,
	);
	const view = hasHead
		? '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView>'
		: '<sheetView showGridLines="0" tabSelected="1" workbookViewId="0"/>';
	return `${HEAD}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>${view}</sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join("")}</cols><sheetData>`;
}

/** @param filtered the cells a filter covers, `A1:H120` */
export function sheetEnd(filtered?: string): string {
	const filter = filtered ? `<autoFilter ref="${filtered}"/>` : "";
	return `</sheetData>${filter}<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/><pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/><headerFooter><oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter></worksheet>`;
}

export type SheetPart = {
	readonly name: string;
	/** The range of its filter, absolute; absent for the first sheet. */
	readonly filter?: string;
};

const quotedSheet = (name: string) => `'${name.replaceAll("'", "''")}'`;

export function workbookXml(sheets: readonly SheetPart[]): string {
	const sheetElements = sheets.map(
		({ name }, position) =>
			`<sheet name="${xmlText(name)}" sheetId="${position + 1}" r:id="rId${position + 1}"/>`,
	);
	const filters = sheets.map(({ name, filter }, position) =>
		filter
			? `<definedName name="_xlnm._FilterDatabase" localSheetId="${position}" hidden="1">${xmlText(`${quotedSheet(name)}!${filter}`)}</definedName>`
			: "",
	);
	const heads = sheets.map(({ name, filter }, position) =>
		filter
			? `<definedName name="_xlnm.Print_Titles" localSheetId="${position}">${xmlText(`${quotedSheet(name)}!$1:$1`)}</definedName>`
			: "",
	);
	const names = [...filters, ...heads].join("");
	return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><bookViews><workbookView/></bookViews><sheets>${sheetElements.join("")}</sheets>${names ? `<definedNames>${names}</definedNames>` : ""}</workbook>`;
}

export function workbookRelationships(sheets: readonly SheetPart[]): string {
	const sheetElements = sheets.map(
		(_, position) =>
			`<Relationship Id="rId${position + 1}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${position + 1}.xml"/>`,
	);
	return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${sheetElements.join("")}<Relationship Id="rId${sheets.length + 1}" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`;
}

export function contentTypes(sheets: readonly SheetPart[]): string {
	const kind = "application/vnd.openxmlformats-officedocument.spreadsheetml";
	const sheetElements = sheets.map(
		(_, position) =>
			`<Override PartName="/xl/worksheets/sheet${position + 1}.xml" ContentType="${kind}.worksheet+xml"/>`,
	);
	return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>${sheetElements.join("")}<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`;
}

export function packageRelationships(): string {
	return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`;
}

/** @param madeAt UTC milliseconds */
export function coreProperties(title: string, author: string, madeAt: number): string {
	const at = `${new Date(madeAt).toISOString().slice(0, 19)}Z`;
	return `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>${xmlText(author)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created></cp:coreProperties>`;
}
