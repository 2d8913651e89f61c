/** The tables of a report's section in a PDF, each under its own heading. */
import { addRow, emptySums, formatCell, type Row, type Section } from "../document.ts";
import { COLORS, type Element, type Paper } from "./pdf-paper.ts";
import { openingHeight, PdfTable, type TableOptions } from "./pdf-table.ts";

/** The tables of a section: one, or one for every group of its rows. */
export class SectionTables {
	private count = 0;
	private table: PdfTable | undefined;
	private key = "";
	private sums: number[];
	private readonly all: number[];

	constructor(
		private readonly paper: Paper,
		private readonly element: Element,
		private readonly section: Omit<Section, "pages">,
		private readonly outline: PDFKit.PDFOutline,
		private readonly options: TableOptions,
	) {
		this.sums = emptySums(section.columns);
		this.all = emptySums(section.columns);
	}

	private get skipped(): number {
		return this.section.group?.columns ?? 0;
	}

	row(row: Row): void {
		const { columns } = this.section;
		const key = this.namesOf(row).join("\u0000");
		if (!this.table || key !== this.key) this.begin(row, key);
		this.count += 1;
		addRow(this.sums, columns, row);
		addRow(this.all, columns, row);
		this.table?.row(row.slice(this.skipped));
	}

	/** What the rows of a group have in common, as its heading says it. */
	private namesOf(row: Row): string[] {
		return row.slice(0, this.skipped).map((cell, position) => {
			if (typeof cell === "object") return this.paper.written(cell);
			return formatCell(this.section.columns[position]?.kind ?? "text", cell);
		});
	}

	private begin(row: Row, key: string): void {
		const { paper, element } = this;
		this.close(this.sums);
		this.key = key;
		this.sums = emptySums(this.section.columns);
		const name = this.namesOf(row).filter(Boolean).join(" · ");
		if (this.skipped > 0) {
			this.heading(name, row.slice(this.skipped));
			this.outline.addItem(paper.shown(name));
		}
		const { columns } = this.section;
		this.table = new PdfTable(paper, element, columns.slice(this.skipped), {
			...this.options,
			// What follows the section follows its total, not each group.
			...(this.skipped > 0 ? { after: 0 } : {}),
			first: row.slice(this.skipped),
			...(name ? { name } : {}),
		});
	}

	/** The heading of a table, on the page of the table's beginning. */
	private heading(text: string, first: Row, after = 0): void {
		const { paper, section, skipped } = this;
		paper.y += 8;
		const opening = openingHeight(paper, section.columns.slice(skipped), first);
		paper.ensure(paper.heightOf(text, 10, true) + opening + after);
		paper.paragraph(this.element, "H3", text, 10, true);
	}

	private close(sums: readonly number[]): void {
		const totals = this.table && this.section.totals?.(sums);
		if (totals)
			this.table?.total(this.skipped > 0 ? ["Total", ...totals.slice(this.skipped + 1)] : totals);
		this.table?.end();
		this.table = undefined;
	}

	end(): void {
		const { paper, element, section, skipped } = this;
		if (this.count === 0) paper.paragraph(element, "P", section.empty, 9, false, COLORS.quiet);
		this.close(this.sums);
		if (skipped > 0 && this.count > 0 && section.totals) {
			const total = ["Total", ...section.totals(this.all).slice(skipped + 1)];
			paper.y += 4;
			this.heading(`${section.title}: total`, total, this.options.after);
			const table = new PdfTable(paper, element, section.columns.slice(skipped), {
				...this.options,
				isTotalOnly: total.filter((cell) => cell !== null && cell !== "").length === 2,
			});
			table.total(total);
			table.end();
		}
	}
}
