/**
 * A report as a PDF: built in memory, because it is small and because one that would be too long
 * must not be started.
 */
import {
	addRow,
	type Column,
	emptySums,
	formatCell,
	isNumeric,
	MAX_PDF_ROWS,
	type ReportDocument,
	type Row,
	type Section,
	textOf,
} from "../document.ts";
import { drawChart } from "./pdf-chart.ts";
import type { Fonts } from "./pdf-lettering.ts";
import { COLORS, Paper, type PaperSize } from "./pdf-paper.ts";
import { SectionTables } from "./pdf-section.ts";
import { openingHeight, type TableOptions } from "./pdf-table.ts";
import { MISSING } from "./pdf-text.ts";

/** Characters that fit on a line of a table in portrait. */
const UPRIGHT_CHARACTERS = 112;

/** Extra characters for the padding of a cell, and for bold totals. */
const EDGES = 3;

/** Points of a chart. */
const CHART = 230;
/** Points of the signature lines, which follow the last rows. */
const SIGNATURE = 114;

/** Up to this many rows every cell is tagged for screen readers; beyond, every line is. */
const MAX_FINE_ROWS = 1500;

/** The report has more rows than a PDF may have. */
export class TooManyRowsError extends Error {
	override name = "TooManyRows";
}

/** A section whose rows are in memory. */
type ReadSection = Omit<Section, "pages"> & { readonly pages: () => Iterable<readonly Row[]> };

/**
 * The sections with their rows in memory, and the row count.
 * @throws TooManyRowsError
 */
async function collectRows({
	sections,
}: ReportDocument): Promise<{ sections: ReadSection[]; rowCount: number }> {
	let rowCount = 0;
	const all: ReadSection[] = [];
	for (const section of sections) {
		const kept: (readonly Row[])[] = [];
		for await (const page of section.pages()) {
			rowCount += page.length;
			if (rowCount > MAX_PDF_ROWS) throw new TooManyRowsError(`more than ${MAX_PDF_ROWS} rows`);
			kept.push(page);
		}
		all.push({ ...section, columns: widenColumns(section, kept), pages: () => kept });
	}
	return { sections: all, rowCount };
}

/** The columns of a section, wide enough for the longest number of each. */
function widenColumns({ columns, totals }: Section, pages: readonly (readonly Row[])[]): Column[] {
	const sums = emptySums(columns);
	const widths = columns.map(({ width }) => width);
	const measure = (row: Row) => {
		for (const [position, column] of columns.entries()) {
			const text = isNumeric(column) ? formatCell(column.kind, row[position]) : "";
			widths[position] = Math.max(widths[position] ?? 0, text.length + EDGES);
		}
	};
	for (const row of pages.flat()) {
		measure(row);
		addRow(sums, columns, row);
	}
	if (totals) measure(totals(sums));
	return columns.map((column, position) => ({ ...column, width: widths[position] ?? 0 }));
}

/**
 * The facts in two columns, each read from top to bottom: what the report is about, and how it was
 * generated.
 */
function drawFacts(paper: Paper, { facts }: ReportDocument): void {
	paper.font(9, true);
	const labels = Math.max(...facts.map(([label]) => paper.widthOf(label))) + 12;
	const half = Math.ceil(facts.length / 2);
	const width = paper.width / 2;
	const top = paper.y;
	let bottom = top;
	for (const [position, [label, text]] of facts.entries()) {
		if (position === half) paper.y = top;
		const left = paper.left + (position < half ? 0 : width);
		paper.font(9);
		const lines = paper.lines(paper.written(text), width - labels - 12, true);
		paper.tagged(paper.root, "P", () => {
			paper.font(9, true);
			paper.doc.fillColor(COLORS.quiet);
			paper.draw(label, left, paper.y);
			paper.font(9);
			paper.doc.fillColor(COLORS.ink);
			for (const line of lines) {
				paper.draw(line, left + labels, paper.y);
				paper.y += 13;
			}
		});
		bottom = Math.max(bottom, paper.y);
	}
	paper.y = bottom;
}

async function drawSection(
	paper: Paper,
	section: ReadSection,
	options: TableOptions,
): Promise<void> {
	const { title, note, chart } = section;
	const element = paper.doc.struct("Sect");
	paper.root.add(element);
	paper.y += 12;
	// A heading stays with the start of its section.
	const [first] = [...section.pages()].flat();
	const opening = openingHeight(paper, section.columns.slice(section.group?.columns ?? 0), first);
	const headings =
		paper.heightOf(title, 13, true) +
		(note ? paper.heightOf(note, 8.5) : 0) +
		(section.group ? 40 : 6);
	paper.ensure(headings + (chart ? CHART : opening + (options.after ?? 0)));
	const outline = paper.doc.outline.addItem(title);
	paper.paragraph(element, "H2", title, 13, true);
	if (note) paper.paragraph(element, "P", note, 8.5, false, COLORS.quiet);
	paper.y += 6;
	if (chart && chart.bars.length > 0) drawChart(paper, element, chart);
	const tables = new SectionTables(paper, element, section, outline, options);
	for (const page of section.pages()) for (const row of page) tables.row(row);
	tables.end();
	element.end();
}

function drawSignature(
	paper: Paper,
	{ statement, lines }: NonNullable<ReportDocument["signature"]>,
): void {
	paper.y += 24;
	paper.ensure(SIGNATURE - 24);
	paper.paragraph(paper.root, "P", statement, 9);
	paper.y += 34;
	const width = paper.width / lines.length - 16;
	for (const [position, label] of lines.entries()) {
		const x = paper.left + position * (width + 16);
		paper.decoration(() =>
			paper.doc
				.moveTo(x, paper.y)
				.lineTo(x + width, paper.y)
				.lineWidth(0.75)
				.stroke(COLORS.ink),
		);
		paper.font(8);
		paper.doc.fillColor(COLORS.quiet);
		paper.tagged(paper.root, "P", () => paper.draw(label, x, paper.y + 4));
	}
	paper.y += 20;
}

/** Whether a table is too wide for portrait. */
const isWide = (sections: readonly Section[]) =>
	sections.some(({ columns, group }) => {
		const shown = columns.slice(group?.columns ?? 0);
		return shown.reduce((sum, { width }) => sum + width, 0) > UPRIGHT_CHARACTERS;
	});

/** Every text that someone may have typed. */
function* textsOf(
	{ title, facts, author, signature }: ReportDocument,
	sections: readonly ReadSection[],
): Generator<string> {
	yield* [title, author, signature?.statement ?? ""];
	for (const [, text] of facts) yield textOf(text);
	for (const { title: heading, note = "", pages } of sections) {
		yield* [heading, note];
		for (const page of pages())
			for (const row of page)
				for (const cell of row)
					if (typeof cell === "string" || (cell && typeof cell === "object")) yield textOf(cell);
	}
}

/** Says what the fonts couldn't write, and what replaced it. */
function drawLimits(paper: Paper): void {
	if (!(paper.hasMissing || paper.hasStandIn)) return;
	const instead = [
		...(paper.hasStandIn
			? ["where a name or note has them, the driver ID stands in its place"]
			: []),
		...(paper.hasMissing ? [`"${MISSING}" stands for one of them`] : []),
	].join(", and ");
	paper.y += 16;
	paper.paragraph(
		paper.root,
		"P",
		`This PDF's fonts lack some characters: ${instead}. Screens and CSV files have them all.`,
		8.5,
	);
}

/**
 * The file.
 * @throws TooManyRowsError past 5,000
 */
export async function writePdf(
	document: ReportDocument,
	paperSize: PaperSize,
	fonts: Fonts,
): Promise<Uint8Array<ArrayBuffer>> {
	// Before anything is drawn, so that a report that is too long takes no time to draw.
	const { sections, rowCount } = await collectRows(document);
	const paper = new Paper(document, paperSize, isWide(sections), fonts);
	await paper.learn(textsOf(document, sections), fonts.loadFallbacks);
	paper.paragraph(paper.root, "H1", document.title, 18, true);
	paper.y += 6;
	drawFacts(paper, document);
	for (const [position, section] of sections.entries()) {
		const isSigned = document.signature !== undefined && position === sections.length - 1;
		await drawSection(paper, section, {
			isFine: rowCount <= MAX_FINE_ROWS,
			...(isSigned ? { after: SIGNATURE } : {}),
		});
	}
	if (document.signature) drawSignature(paper, document.signature);
	drawLimits(paper);
	return paper.finish();
}
