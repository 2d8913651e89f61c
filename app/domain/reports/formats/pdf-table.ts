/**
 * Tables in a PDF: headings repeated on every page, numbers right-aligned, a total under a line.
 */
import { type Column, formatCell, isNumeric, type Row } from "../document.ts";
import { COLORS, type Element, type Paper } from "./pdf-paper.ts";

const SIZE = 8;
const LEADING = 10.5;
/** Points between a cell's edge and its text. */
const PADDING = 3;
/** Extra points before text that follows a number, which ends at its right edge. */
const GAP = 10;
/** Points of a total and of the line before it, one line each. */
export const LAST_LINES = 2 * (LEADING + 2 * PADDING);

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
};

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
		const needed = columns.reduce((sum, { width }) => sum + width, 0);
		this.widths = columns.map(({ width }) => (width / needed) * paper.width);
		this.element = paper.doc.struct(options.isFine ? "Table" : "Div");
		parent.add(this.element);
		paper.ensure(4 * (LEADING + 2 * PADDING));
		this.head(false);
	}

	private head(isRepeated: boolean): void {
		const { paper, columns, options } = this;
		if (isRepeated && options.name) this.nameAgain(options.name);
		paper.font(SIZE, true);
		const cells = columns.map(({ head }, position) => paper.lines(head, this.room(position)));
		const height = Math.max(...cells.map(({ length }) => length)) * LEADING + 2 * PADDING;
		paper.decoration(() =>
			paper.doc.rect(paper.left, paper.y, paper.width, height).fill(COLORS.sunken),
		);
		this.line(cells, height, "TH", isRepeated);
		paper.font(SIZE);
	}

	private nameAgain(name: string): void {
		const { paper } = this;
		paper.font(9, true);
		const [line = ""] = paper.lines(`${name} (continued)`, paper.width);
		paper.doc.fillColor(COLORS.quiet);
		paper.decoration(() => paper.draw(line, paper.left, paper.y));
		paper.y += 16;
	}

	/** Points before the text of a column. */
	private gap(position: number): number {
		const [before, column] = [this.columns[position - 1], this.columns[position]];
		return PADDING + (before && column && isNumeric(before) && !isNumeric(column) ? GAP : 0);
	}

	/** The maximum width of its text in points. */
	private room(position: number): number {
		return (this.widths[position] ?? 0) - this.gap(position) - PADDING;
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
						start + this.gap(position),
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

	private measured(
		row: Row,
		isTotal: boolean,
	): { cells: readonly (readonly string[])[]; height: number } {
		const { paper, columns } = this;
		paper.font(SIZE, isTotal);
		const cells = columns.map(({ kind }, position) => {
			const text = formatCell(kind, row[position]);
			return text === "" ? [] : paper.lines(text, this.room(position));
		});
		return {
			cells,
			height: Math.max(1, ...cells.map(({ length }) => length)) * LEADING + 2 * PADDING,
		};
	}

	/** @param more points that must follow on the same page */
	private put(row: Row, isTotal = false, more = 0): void {
		const { cells, height } = this.measured(row, isTotal);
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
		if (this.last) this.put(this.last, false, this.measured(row, true).height + after);
		this.last = undefined;
		this.put(row, true);
	}

	end(): void {
		if (this.last) this.put(this.last, false, this.options.after);
		this.last = undefined;
		this.element.end();
	}
}
