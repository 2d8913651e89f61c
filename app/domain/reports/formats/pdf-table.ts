/**
 * Tables in a PDF: headings repeated on every page, numbers right-aligned, a total under a line.
 */

import { inUnits } from "../../../values/fleet-units.ts";
import { type Column, formatCell, isNumeric, type Row } from "../document.ts";
import { COLORS, type Element, type Paper } from "./pdf-paper.ts";

const SIZE = 8;
const LEADING = 10.5;
/** Points between a cell's edge and its text. */
const PADDING = 3;
/** Extra points before text that follows a number, which ends at its right edge. */
const GAP = 10;
/** Points by which sums of fractions may miss. */
const ROUNDING = 0.01;

export type TableOptions = {
	/**
	 * Whether every cell is tagged for screen readers, and not just every line: the cells of
	 * thousands of lines would be larger than the file.
	 */
	readonly isFine: boolean;
	/**
	 * The table's subject, repeated on each page, so that a loose page still says what it is about.
	 */
	readonly name?: string;
	/** Points that must follow its last line on the same page. */
	readonly after?: number;
	/** Whether it is only a total of one figure, with nothing for headings to describe. */
	readonly isTotalOnly?: boolean;
	/** Its first row, never separated from its headings. */
	readonly first?: Row;
};

type Measured = { readonly cells: readonly (readonly string[])[]; readonly height: number };

/**
 * Points of each column: its share of the line, but at least its heading's longest word, at the
 * cost of the columns that have room to spare.
 */
function widthsOf(paper: Paper, columns: readonly Column[]): number[] {
	paper.font(SIZE, true);
	const needed = columns.reduce((sum, { width }) => sum + width, 0);
	const measured = columns.map(({ head, width }, position) => {
		const words = inUnits(head).split(" ");
		const longest = Math.max(...words.map((word) => paper.widthOf(word)));
		return {
			share: (width / needed) * paper.width,
			least: gapBefore(columns, position) + longest + PADDING + ROUNDING,
		};
	});
	const missing = measured.reduce((sum, { share, least }) => sum + Math.max(least - share, 0), 0);
	const spare = measured.reduce((sum, { share, least }) => sum + Math.max(share - least, 0), 0);
	const cost = missing < spare ? missing / spare : 0;
	return measured.map(({ share, least }) =>
		cost > 0 && share < least ? least : share - Math.max(share - least, 0) * cost,
	);
}

/** Points before the text of a column. */
function gapBefore(columns: readonly Column[], position: number): number {
	const [before, column] = [columns[position - 1], columns[position]];
	return PADDING + (before && column && isNumeric(before) && !isNumeric(column) ? GAP : 0);
}

/** Breaks the texts of a line of the table into their columns. */
function measure(
	paper: Paper,
	columns: readonly Column[],
	widths: readonly number[],
	texts: readonly string[],
	isSentence: boolean,
): Measured {
	const cells = texts.map((text, position) => {
		const room = (widths[position] ?? 0) - gapBefore(columns, position) - PADDING;
		return text === "" ? [] : paper.lines(text, room, isSentence);
	});
	const lines = Math.max(1, ...cells.map(({ length }) => length));
	return { cells, height: lines * LEADING + 2 * PADDING };
}

function measureHeads(
	paper: Paper,
	columns: readonly Column[],
	widths: readonly number[],
): Measured {
	paper.font(SIZE, true);
	const heads = columns.map(({ head }) => inUnits(head));
	return measure(paper, columns, widths, heads, true);
}

function measureRow(
	paper: Paper,
	columns: readonly Column[],
	widths: readonly number[],
	row: Row,
	isTotal: boolean,
): Measured {
	paper.font(SIZE, isTotal);
	const texts = columns.map(({ kind }, position) => {
		const cell = row[position];
		return typeof cell === "object" && cell ? paper.written(cell) : formatCell(kind, cell);
	});
	return measure(paper, columns, widths, texts, false);
}

/** Points of a table's headings with its first row and, if that is its last, its total. */
export function openingHeight(
	paper: Paper,
	columns: readonly Column[],
	first: Row | undefined,
): number {
	const widths = widthsOf(paper, columns);
	const heads = measureHeads(paper, columns, widths).height;
	const row = first ? measureRow(paper, columns, widths, first, false).height : 0;
	return heads + row + LEADING + 2 * PADDING;
}

export class PdfTable {
	private readonly widths: readonly number[];
	private readonly element: Element;
	private last: Row | undefined;

	constructor(
		private readonly paper: Paper,
		parent: Element,
		private readonly columns: readonly Column[],
		private readonly options: TableOptions,
	) {
		this.widths = widthsOf(paper, columns);
		this.element = paper.doc.struct(options.isFine ? "Table" : "Div");
		parent.add(this.element);
		if (options.isTotalOnly) return;
		paper.ensure(openingHeight(paper, columns, options.first));
		this.head(false);
	}

	private head(isRepeated: boolean): void {
		const { paper, columns, options } = this;
		if (isRepeated && options.name) this.nameAgain(options.name);
		const { cells, height } = measureHeads(paper, columns, this.widths);
		paper.decoration(() =>
			paper.doc.rect(paper.left, paper.y, paper.width, height).fill(COLORS.sunken),
		);
		this.line(cells, height, "TH", isRepeated);
		paper.font(SIZE);
	}

	private nameAgain(name: string): void {
		const { paper } = this;
		paper.font(9, true);
		const [line = ""] = paper.lines(`${name} (continued)`, paper.width, true);
		paper.doc.fillColor(COLORS.quiet);
		paper.decoration(() => paper.draw(line, paper.left, paper.y));
		paper.y += 16;
	}

	/** One line of the table; a repeated heading isn't tagged again. */
	private line(
		cells: readonly (readonly string[])[],
		height: number,
		tag: "TH" | "TD",
		isUntold = false,
	): void {
		const { paper, element } = this;
		const { isFine } = this.options;
		paper.doc.fillColor(COLORS.ink);
		const drawAll = () => this.eachCell(cells, (draw) => draw());
		if (isUntold) paper.decoration(drawAll);
		else if (isFine) {
			const line = paper.doc.struct("TR");
			element.add(line);
			this.eachCell(cells, (draw) => paper.tagged(line, tag, draw));
			line.end();
		} else paper.tagged(element, "P", drawAll);
		paper.y += height;
	}

	private eachCell(cells: readonly (readonly string[])[], place: (draw: () => void) => void): void {
		const { paper, columns, widths } = this;
		let x = paper.left;
		for (const [position, column] of columns.entries()) {
			const [start, width] = [x, widths[position] ?? 0];
			place(() => {
				for (const [number, text] of (cells[position] ?? []).entries())
					paper.draw(
						text,
						start + gapBefore(columns, position),
						paper.y + PADDING + number * LEADING,
						isNumeric(column) ? start + width - PADDING : undefined,
					);
			});
			x += width;
		}
	}

	private rule(y: number, color: string): void {
		const { paper } = this;
		paper.decoration(() =>
			paper.doc
				.moveTo(paper.left, y)
				.lineTo(paper.left + paper.width, y)
				.lineWidth(0.5)
				.stroke(color),
		);
	}

	/** @param more points that must follow on the same page */
	private put(row: Row, isTotal = false, more = 0): void {
		const { cells, height } = measureRow(this.paper, this.columns, this.widths, row, isTotal);
		if (this.paper.ensure(height + more)) this.head(true);
		this.paper.font(SIZE, isTotal);
		if (isTotal) this.rule(this.paper.y, COLORS.ink);
		this.line(cells, height, "TD");
		if (!isTotal) this.rule(this.paper.y, COLORS.line);
	}

	/** Adds a row; the last one is held back, so that a total is never alone on a page. */
	row(row: Row): void {
		if (this.last) this.put(this.last);
		this.last = row;
	}

	/** The total, in bold under a line. */
	total(row: Row): void {
		const { after = 0 } = this.options;
		if (this.last)
			this.put(
				this.last,
				false,
				measureRow(this.paper, this.columns, this.widths, row, true).height + after,
			);
		this.last = undefined;
		this.put(row, true);
	}

	end(): void {
		if (this.last) this.put(this.last, false, this.options.after);
		this.last = undefined;
		this.element.end();
	}
}
