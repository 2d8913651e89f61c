/** Text whose letters were damaged by reading UTF-8 as another encoding. */

/** What Windows-1252 has in the place of the control characters from U+0080 to U+009F. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function byteOf(character: string): number {
	const code = character.charCodeAt(0);
	if (code <= 0xff) return code;
	const at = WINDOWS.indexOf(character);
	return at < 0 ? -1 : 0x80 + at;
}

/** The text before it was damaged: `Servicegebühr` of `ServicegebÃ¼hr`; nothing for a sound one. */
export function repairText(text: string): string | undefined {
	const bytes = Array.from(text, byteOf);
	if (bytes.includes(-1) || bytes.every((byte) => byte < 0x80)) return undefined;
	try {
		const repaired = new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(bytes));
		// It may have happened twice.
		return repairText(repaired) ?? repaired;
	} catch {
		return undefined;
	}
}

/** What to say about column names with damaged letters; nothing about sound ones. */
export function whyDamaged(names: readonly string[]): string | undefined {
	const lost = names.find((name) => name.includes("\ufffd"));
	const damaged = lost ?? names.find((name) => repairText(name) !== undefined);
	if (damaged === undefined) return undefined;
	const example = lost ? `'${damaged}'` : `'${damaged}' instead of '${repairText(damaged)}'`;
	return `A program damaged the letters in this file when it saved it: it has ${example}. Choose a file that no other program has opened.`;
}
