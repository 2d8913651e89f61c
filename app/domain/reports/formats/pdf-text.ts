/**
 * Text as it is drawn: which font has each part of it, and the order of the parts if some are read
 * from right to left (Unicode's UAX #9).
 */
import bidiFactory from "bidi-js";

const bidi = bidiFactory();
const IS_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Begins a line whose direction isn't its first letter's. */
const LEFT_TO_RIGHT = "\u200e";
const RIGHT_TO_LEFT = "\u200f";
/** Every character up to here is in the report's own fonts. */
const IS_PLAIN = /^[\u0020-\u007e\u00a0-\u024f\u2010-\u2022\u2026\u20ac]*$/;
/** Shown for a character that no font has. */
export const MISSING = "?";

/** A part of a line in one font and one direction. */
export type Run = { readonly text: string; readonly font: number; readonly isRtl: boolean };

/** Whether a text is Latin alone, which needs no arranging. */
export const isPlain = (text: string) => IS_PLAIN.test(text);

/** What a reader can see, or letters need for their shapes, on one line. */
export function flatten(text: string): string {
	const flat = text
		.normalize("NFC")
		.replace(/\s+/gu, " ")
		.replace(/\p{Variation_Selector}/gu, "");
	// Joiners are kept between letters: without them Persian and Hindi words have other shapes.
	return flat.replace(/(?<=\p{L}\p{M}*)[\u200c\u200d](?=\p{L})|[\p{Cc}\p{Cf}\p{Cs}]/gu, (found) =>
		found === "\u200c" || found === "\u200d" ? found : "",
	);
}

/** Characters with the marks that belong to them. */
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
export const graphemesOf = (text: string): string[] =>
	isPlain(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Whether a text is read from right to left, by its first letter. */
const isRightToLeft = (text: string) =>
	IS_RTL.test(text) && bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1;

/**
 * The lines of one text, each marked if it would be read in a different direction.
 * @param isSentence whether it is one of our sentences, which are read from left to right whatever
 *   name comes first
 */
export function markDirection(lines: readonly string[], isSentence: boolean): string[] {
	const whole = lines.join(" ");
	if (!IS_RTL.test(whole)) return [...lines];
	const isRtl = !isSentence && isRightToLeft(whole);
	return lines.map((line) =>
		isRightToLeft(line) === isRtl ? line : (isRtl ? RIGHT_TO_LEFT : LEFT_TO_RIGHT) + line,
	);
}

/**
 * The parts of a line from left to right.
 * @param fontOf the number of the font that has a character
 */
export function arrange(line: string, fontOf: (character: string) => number): Run[] {
	const text = line.replace(/^[\u200e\u200f]/, "");
	const direction = line.startsWith(RIGHT_TO_LEFT)
		? "rtl"
		: line.startsWith(LEFT_TO_RIGHT)
			? "ltr"
			: undefined;
	const embedding = IS_RTL.test(text) ? bidi.getEmbeddingLevels(text, direction) : undefined;
	const runs = split(text, embedding?.levels, fontOf);
	if (!embedding) return runs.map(({ text: part, font }) => ({ text: part, font, isRtl: false }));
	return reorder(runs).map(({ text: part, font, level }) => {
		const isRtl = level % 2 === 1;
		return { text: isRtl ? facing(part) : part, font, isRtl };
	});
}

type LeveledRun = { text: string; readonly font: number; readonly level: number };

function split(
	text: string,
	levels: Uint8Array | undefined,
	fontOf: (character: string) => number,
): LeveledRun[] {
	const runs: LeveledRun[] = [];
	let at = 0;
	for (const character of text) {
		const level = levels?.[at] ?? 0;
		const last = runs.at(-1);
		// A mark stays in the font of the letter it follows.
		const isBound = last && /^[\p{M}\u200c\u200d]$/u.test(character);
		const font = isBound ? last.font : fontOf(character);
		if (last && last.font === font && last.level === level) last.text += character;
		else runs.push({ text: character, font, level });
		at += character.length;
	}
	return runs;
}

/** Reverses everything at or above each level, from the highest down to the lowest odd one. */
function reorder(runs: readonly LeveledRun[]): LeveledRun[] {
	const ordered = [...runs];
	const levels = runs.map(({ level }) => level);
	for (let level = Math.max(0, ...levels); level >= 1; level--)
		for (let start = 0; start < ordered.length; start++) {
			let end = start;
			while ((ordered[end]?.level ?? -1) >= level) end += 1;
			if (end - start < 2) continue;
			ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
			start = end;
		}
	return ordered;
}

/**
 * Text that is read from right to left, as the font's engine wants it: with brackets that face the
 * other way. The engine reverses letters itself; only signs are mirrored here.
 */
function facing(text: string): string {
	const turned = Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character);
	return (IS_RTL.test(text) ? turned : turned.reverse()).join("");
}
