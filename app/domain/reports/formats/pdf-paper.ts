/**
 * The pages a report is drawn on: the current position, the characters the font has, and the tags
 * for screen readers. pdfkit's own tables and wrapping take seconds for a thousand rows, so lines
 * are measured and placed here.
 */
import PDFDocument from "pdfkit";
import type { ReportDocument } from "../document.ts";

export type PaperSize = "a4" | "letter";
/** The TrueType fonts to embed, as bytes. */
export type Fonts = { readonly regular: Uint8Array; readonly bold: Uint8Array };
export type Element = ReturnType<PDFKit.PDFDocument["struct"]>;

/** Points. */
const MARGIN = 40;
const FOOT = 24;
/** How much of a word is measured at once, in characters: no line has room for more. */
const MAX_LINE_LENGTH = 400;
export const COLORS = {
	ink: "#16202c",
	quiet: "#4b5a6b",
	line: "#cdd6e0",
	sunken: "#eef2f6",
	bars: ["#1256b8", "#c77700", "#17653a"],
} as const;
/** Shown for a character that the font doesn't have. */
export const MISSING = "□";
const IS_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** What pdfkit's types lack. */
type Insides = {
	readonly page: { readonly content: { buffer: Uint8Array[] } };
	readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
	readonly _fontFamilies: Readonly<Record<string, { layoutCache: object }>>;
};

export class Paper {
	readonly doc: PDFKit.PDFDocument;
	readonly root: Element;
	readonly left = MARGIN;
	readonly width: number;
	/** Where the next thing is drawn. */
	y = MARGIN;
	/** Whether a character was drawn as MISSING. */
	hasMissing = false;
	private readonly bottom: number;
	private pieces: Uint8Array[] = [];
	private readonly known = new Map<string, boolean>();
	private isBold = false;
	private size = 0;

	constructor(
		private readonly document: ReportDocument,
		paper: PaperSize,
		isLandscape: boolean,
		fonts: Fonts,
	) {
		const { title, author, madeAt } = document;
		this.doc = new PDFDocument({
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
		});
		this.doc.on("data", (piece: Uint8Array) => {
			// pdfkit writes line by line: a hundred thousand small arrays would take more memory than
			// their contents.
			if (this.pieces.push(piece) === 4096) this.pieces = [joinBytes(this.pieces)];
		});
		this.doc.registerFont("regular", fonts.regular as unknown as string);
		this.doc.registerFont("bold", fonts.bold as unknown as string);
		this.width = this.doc.page.width - 2 * MARGIN;
		this.bottom = this.doc.page.height - MARGIN - FOOT;
		this.root = this.doc.struct("Document");
		this.doc.addStructure(this.root);
		this.font(9);
	}

	/** @param size points */
	font(size: number, isBold = false): void {
		if (isBold !== this.isBold || this.size === 0) this.doc.font(isBold ? "bold" : "regular");
		if (size !== this.size) this.doc.fontSize(size);
		this.isBold = isBold;
		this.size = size;
	}

	/** Text that this font can show: one line, nothing invisible, a box for what it lacks. */
	shown(text: string): string {
		const flat = text
			.normalize("NFC")
			.replace(/\s+/gu, " ")
			.replace(/[\p{Cc}\p{Cf}\p{Cs}]|\p{Variation_Selector}/gu, "");
		return Array.from(flat, (character) => (this.has(character) ? character : this.missing())).join(
			"",
		);
	}

	private missing(): string {
		this.hasMissing = true;
		return MISSING;
	}

	private has(character: string): boolean {
		let known = this.known.get(character);
		if (known === undefined) {
			known = (this.doc as unknown as Insides)._font.font.hasGlyphForCodePoint(
				character.codePointAt(0) ?? 0,
			);
			this.known.set(character, known);
		}
		return known;
	}

	/** The width of such text in points. */
	widthOf(text: string): number {
		return this.doc.widthOfString(text, featuresOf(text));
	}

	/** Breaks text into lines of at most the given width in points; a longer word is cut. */
	lines(text: string, width: number): string[] {
		const whole = this.shown(text).trim();
		if (whole.length <= MAX_LINE_LENGTH && this.widthOf(whole) <= width) return [whole];
		const lines: string[] = [];
		let line = "";
		for (const word of whole.split(" ")) {
			const longer = line ? `${line} ${word}` : word;
			if (longer.length <= MAX_LINE_LENGTH && this.widthOf(longer) <= width) {
				line = longer;
				continue;
			}
			if (line) lines.push(line);
			line = word;
			while (this.widthOf(line.slice(0, MAX_LINE_LENGTH)) > width && line.length > 1) {
				const part = this.fitting(line, width);
				lines.push(part);
				line = line.slice(part.length);
			}
		}
		return [...lines, line];
	}

	/** The beginning of a word that fits, at least one character. */
	private fitting(word: string, width: number): string {
		const characters = [...word.slice(0, MAX_LINE_LENGTH)];
		let count = Math.max(
			1,
			Math.floor((characters.length * width) / this.widthOf(characters.join(""))),
		);
		while (count > 1 && this.widthOf(characters.slice(0, count).join("")) > width) count -= 1;
		return characters.slice(0, count).join("");
	}

	/** Draws one line of such text; `right` is where a right-aligned line ends. */
	draw(text: string, x: number, y: number, right?: number): void {
		if (text === "") return;
		const start = right === undefined ? x : right - this.widthOf(text);
		this.doc.text(text, start, y, { lineBreak: false, ...featuresOf(text) });
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
		const lines = this.lines(text, this.width);
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

/** Right-to-left text is laid out as a whole: word by word it would be in the wrong order. */
function featuresOf(text: string): { features?: [] } {
	return IS_RTL.test(text) ? { features: [] } : {};
}
