/** Text in the XML of a workbook. */

/** The maximum length of a workbook cell, in characters. */
const MAX_CHARACTERS = 32_767;

/**
 * What XML 1.0 can't contain: controls other than tab and line feed, lone surrogates, two
 * non-characters.
 */
const NO_XML =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
	/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
};

/** Text between tags or in an attribute. */
export function xmlText(text: string): string {
	return text.replace(NO_XML, "").replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/** The text of a cell: no longer than allowed, with a typed `_x0041_` escaped. */
export function cellText(text: string): string {
	let cut = text.replace(NO_XML, "").slice(0, MAX_CHARACTERS);
	// Doesn't split a surrogate pair.
	if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1);
	return xmlText(cut.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_"));
}
