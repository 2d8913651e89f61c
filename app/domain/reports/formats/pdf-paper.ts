/**
 * The pages a report is drawn on: the current position, the characters the font has, and the tags
 * for screen readers. pdfkit's own tables and wrapping take seconds for a thousand rows, so lines
 * are measured and placed here.
 */
import PDFDocument from "pdfkit";
import type { ReportDocument } from "../document.ts";
import { type Fonts, Lettering } from "./pdf-lettering.ts";

export type PaperSize = "a4" | "letter";
export type Element = ReturnType<PDFKit.PDFDocument["struct"]>;

/** Points. */
const MARGIN = 40;
const FOOT = 24;
export const COLORS = {
	ink: "#16202c",
	quiet: "#4b5a6b",
	line: "#cdd6e0",
	sunken: "#eef2f6",
	bars: ["#1256b8", "#c77700", "#17653a"],
} as const;
/** What pdfkit's types lack. */
type Insides = {
	readonly page: { readonly content: { buffer: Uint8Array[] } };
	readonly _font: { layoutCache: object };
	readonly _fontFamilies: Record<string, { layoutCache: object }>;
};

export class Paper extends Lettering {
	readonly root: Element;
	readonly left = MARGIN;
	readonly width: number;
	/** Where the next thing is drawn. */
	y = MARGIN;
	private readonly bottom: number;
	private pieces: Uint8Array[] = [];

	constructor(
		private readonly document: ReportDocument,
		paper: PaperSize,
		isLandscape: boolean,
		fonts: Fonts,
	) {
		const { title, author, madeAt } = document;
		super(
			new PDFDocument({
				size: paper === "a4" ? "A4" : "LETTER",
				layout: isLandscape ? "landscape" : "portrait",
				margin: MARGIN,
				// Outside Node no standard font is registered, and none of them has these characters.
				font: fonts.regular as unknown as string,
				bufferPages: true,
				pdfVersion: "1.7",
				lang: "en-US",
				tagged: true,
				displayTitle: true,
				info: {
					Title: title,
					Author: author,
					Creator: author,
					CreationDate: new Date(madeAt),
					ModDate: new Date(madeAt),
				},
			}),
		);
		this.doc.on("data", (piece: Uint8Array) => {
			// pdfkit writes line by line: a hundred thousand small arrays would take more memory than
			// their contents.
			if (this.pieces.push(piece) === 4096) this.pieces = [joinBytes(this.pieces)];
		});
		this.doc.registerFont("regular", fonts.regular as unknown as string);
		// The document has parsed it already, and would again whenever it is chosen.
		const { _font, _fontFamilies: families } = this.doc as unknown as Insides;
		families.regular = _font;
		this.doc.registerFont("bold", fonts.bold as unknown as string);
		this.width = this.doc.page.width - 2 * MARGIN;
		this.bottom = this.doc.page.height - MARGIN - FOOT;
		this.root = this.doc.struct("Document");
		this.doc.addStructure(this.root);
		this.font(9);
	}

	/** Starts the next page unless this many points are left on this one; returns whether it did. */
	ensure(points: number): boolean {
		if (this.y + points <= this.bottom) return false;
		this.compact();
		this.doc.addPage();
		this.y = MARGIN;
		return true;
	}

	/**
	 * A finished page waits for the total page count as one buffer instead of thousands, and its
	 * measurements are cleared: pdfkit would keep the outlines of every text it ever saw.
	 */
	private compact(): void {
		const { page, _fontFamilies: families } = this.doc as unknown as Insides;
		page.content.buffer = [joinBytes(page.content.buffer)];
		for (const font of Object.values(families)) font.layoutCache = Object.create(null);
	}

	/** Draws something that screen readers announce, as a child of an element. */
	tagged(parent: Element, tag: string, draw: () => void, options: { alt?: string } = {}): void {
		const content = this.doc.markStructureContent(tag);
		draw();
		this.doc.endMarkedContent();
		const element = this.doc.struct(tag, options, [content]);
		parent.add(element);
		element.end();
	}

	/** Draws decoration, which screen readers skip. */
	decoration(draw: () => void): void {
		this.doc.markContent("Artifact", { type: "Layout" });
		draw();
		this.doc.endMarkedContent();
	}

	/** The height of a paragraph in points. */
	heightOf(text: string, size: number, isBold = false): number {
		this.font(size, isBold);
		return this.lines(text, this.width, true).length * size * 1.35;
	}

	/** A paragraph or a heading across the page. */
	paragraph(
		parent: Element,
		tag: string,
		text: string,
		size: number,
		isBold = false,
		color: string = COLORS.ink,
	): void {
		this.font(size, isBold);
		const leading = size * 1.35;
		const lines = this.lines(text, this.width, true);
		this.ensure(Math.min(lines.length, 4) * leading);
		this.tagged(parent, tag, () => {
			this.doc.fillColor(color);
			for (const line of lines) {
				this.ensure(leading);
				this.draw(line, this.left, this.y);
				this.y += leading;
			}
		});
	}

	/** Ends the file, with its title and the page number on every page. */
	async finish(): Promise<Uint8Array<ArrayBuffer>> {
		const ended = new Promise<void>((pass) => this.doc.on("end", () => pass()));
		const { start, count } = this.doc.bufferedPageRange();
		for (let page = 0; page < count; page++) {
			this.doc.switchToPage(start + page);
			this.size = 0;
			this.font(8);
			this.doc.fillColor(COLORS.quiet);
			this.doc.markContent("Artifact", { type: "Pagination" });
			const y = this.doc.page.height - MARGIN - 8;
			this.draw(this.shown(this.document.title), this.left, y);
			this.draw(`Page ${page + 1} of ${count}`, 0, y, this.left + this.width);
			this.doc.endMarkedContent();
		}
		this.root.end();
		this.doc.end();
		await ended;
		return joinBytes(this.pieces);
	}
}

function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
	let offset = 0;
	for (const piece of pieces) {
		bytes.set(piece, offset);
		offset += piece.byteLength;
	}
	return bytes;
}
