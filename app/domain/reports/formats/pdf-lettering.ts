/**
 * Writes text with pdfkit: which font has a character, how wide a text is, where its lines break,
 * and what replaces text that no font can write.
 */
import { type Cell, textOf } from "../document.ts";
import {
	arrange,
	flatten,
	graphemesOf,
	isPlain,
	MISSING,
	markDirection,
	type Run,
} from "./pdf-text.ts";

/** The TrueType fonts to embed, as bytes. */
export type Fonts = {
	readonly regular: Uint8Array;
	readonly bold: Uint8Array;
	/** The fonts for characters that these lack, as far as there are any. */
	readonly loadFallbacks: (characters: string) => Promise<readonly Uint8Array[]>;
};
/** How much of a word is measured at once, in characters: no line has room for more. */
const MAX_LINE_LENGTH = 400;
/** Words that together take less than this share of a line fit, however they are shaped. */
const SURE_TO_FIT = 0.9;
/** How many widths of runs are remembered at once. */
const MAX_KNOWN_WIDTHS = 10_000;

/** What pdfkit's types lack. */
type Insides = {
	readonly _font: {
		readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
		readonly ascender: number;
	};
};

export class Lettering {
	/** Whether a character was drawn as MISSING. */
	hasMissing = false;
	/** Whether something replaced a text that no font can write. */
	hasStandIn = false;
	/** The font of each character seen: 0 for the report's own, -1 for none. */
	private readonly fonts = new Map<string, number>();
	private fallbacks: readonly string[] = [];
	private isBold = false;
	private readonly widths = new Map<string, number>();
	protected size = 0;

	constructor(readonly doc: PDFKit.PDFDocument) {}

	/** @param size points */
	font(size: number, isBold = false): void {
		if (isBold !== this.isBold || this.size === 0) this.doc.font(isBold ? "bold" : "regular");
		if (size !== this.size) this.doc.fontSize(size);
		this.isBold = isBold;
		this.size = size;
	}

	/**
	 * Loads what is needed to write texts, before any of them is measured.
	 * @param load fonts that have characters which the report's own lack
	 */
	async learn(texts: Iterable<string>, load: Fonts["loadFallbacks"]): Promise<void> {
		const unknown = new Set<string>();
		for (const text of texts)
			if (!isPlain(text))
				for (const character of flatten(text))
					if (this.fontOf(character) === -1) unknown.add(character);
		if (unknown.size === 0) return;
		const loaded = await load([...unknown].join(""));
		this.fallbacks = loaded.map((bytes, position) => {
			this.doc.registerFont(`fallback-${position}`, bytes as unknown as string);
			return `fallback-${position}`;
		});
		for (const character of unknown) this.fonts.delete(character);
	}

	/** The number of the first font that has a character. */
	private fontOf(character: string): number {
		const known = this.fonts.get(character);
		if (known !== undefined) return known;
		const codePoint = character.codePointAt(0) ?? 0;
		const names = [this.baseFont, ...this.fallbacks];
		const found = names.findIndex((name) =>
			this.insideOf(name).font.hasGlyphForCodePoint(codePoint),
		);
		this.fonts.set(character, found);
		return found;
	}

	private get baseFont(): string {
		return this.isBold ? "bold" : "regular";
	}

	/** A font as pdfkit knows it; the one in use stays in use. */
	private insideOf(name: string): Insides["_font"] {
		const font = (this.doc.font(name) as unknown as Insides)._font;
		if (name !== this.baseFont) this.doc.font(this.baseFont);
		return font;
	}

	/** Text that the fonts can show: one line, nothing invisible, `?` for what they lack. */
	shown(text: string): string {
		if (isPlain(text)) return text.replace(/\s+/g, " ");
		return Array.from(flatten(text), (character) =>
			this.fontOf(character) === -1 ? this.missing() : character,
		).join("");
	}

	/** A cell's text, or its replacement if no font can write it. */
	written(cell: Cell): string {
		if (cell === null || typeof cell !== "object") return String(cell ?? "");
		const isWritable =
			isPlain(cell.text) ||
			Array.from(flatten(cell.text)).every((each) => this.fontOf(each) !== -1);
		if (isWritable) return textOf(cell);
		this.hasStandIn = true;
		return cell.otherwise;
	}

	private missing(): string {
		this.hasMissing = true;
		return MISSING;
	}

	private runs(text: string): Run[] {
		return arrange(text, (character) => Math.max(0, this.fontOf(character)));
	}

	/** The width of such text in points. */
	widthOf(text: string): number {
		if (isPlain(text)) return this.doc.widthOfString(text);
		return this.runs(text).reduce(
			(sum, run) => sum + this.inFont(run, () => this.widthOfRun(run)),
			0,
		);
	}

	/** The width of a run in its font, which takes long to measure. */
	private widthOfRun({ text, font, isRtl }: Run): number {
		const key = `${font} ${this.isBold} ${this.size} ${isRtl} ${text}`;
		const known = this.widths.get(key);
		if (known !== undefined) return known;
		if (this.widths.size >= MAX_KNOWN_WIDTHS) this.widths.clear();
		const width = this.doc.widthOfString(text, layoutOf(isRtl));
		this.widths.set(key, width);
		return width;
	}

	/** Measures or draws something in the font of a run. */
	private inFont<Result>({ font }: Run, act: () => Result): Result {
		const name = this.fallbacks[font - 1];
		if (name === undefined) return act();
		this.doc.font(name);
		const result = act();
		this.doc.font(this.baseFont);
		return result;
	}

	/**
	 * Breaks text into lines of at most the given width in points; a longer word is cut.
	 * @param isSentence whether it is read from left to right, whatever name it begins with
	 */
	lines(text: string, width: number, isSentence = false): string[] {
		return markDirection(this.broken(text, width), isSentence);
	}

	private broken(text: string, width: number): string[] {
		const whole = this.shown(text).trim();
		if (whole.length <= MAX_LINE_LENGTH && this.widthOf(whole) <= width) return [whole];
		const lines: string[] = [];
		let line = "";
		/** The widths of the line's words and blanks. */
		let sum = 0;
		for (const word of whole.split(" ")) {
			const longer = line ? `${line} ${word}` : word;
			if (longer.length <= MAX_LINE_LENGTH) {
				sum += (line ? this.widthOf(" ") : 0) + this.widthOf(word);
				// Measuring the whole line with each word would take most of a report's time.
				if (
					sum <= SURE_TO_FIT * width ||
					(sum <= width / SURE_TO_FIT && this.widthOf(longer) <= width)
				) {
					line = longer;
					continue;
				}
			}
			if (line) lines.push(line);
			line = word;
			while (this.widthOf(line.slice(0, MAX_LINE_LENGTH)) > width && line.length > 1) {
				const part = this.fitting(line, width);
				lines.push(part);
				line = line.slice(part.length);
			}
			sum = this.widthOf(line);
		}
		return [...lines, line];
	}

	/** The beginning of a word that fits, at least one character. */
	private fitting(word: string, width: number): string {
		const characters = graphemesOf(word.slice(0, MAX_LINE_LENGTH));
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
		let start = right === undefined ? x : right - this.widthOf(text);
		if (isPlain(text)) {
			this.doc.text(text, start, y, { lineBreak: false });
			return;
		}
		const { ascender } = this.insideOf(this.baseFont);
		for (const run of this.runs(text))
			start += this.inFont(run, () => {
				// All fonts share a baseline, however tall their letters are.
				const { _font } = this.doc as unknown as Insides;
				const top = y + ((ascender - _font.ascender) * this.size) / 1000;
				this.doc.text(run.text, start, top, { lineBreak: false, ...layoutOf(run.isRtl) });
				return this.widthOfRun(run);
			});
	}
}

/** Right-to-left text is laid out as a whole: word by word it would be in the wrong order. */
const layoutOf = (isRtl: boolean): { features?: [] } => (isRtl ? { features: [] } : {});
