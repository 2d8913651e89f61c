/**
 * The name a receipt is shown under: the phone's own, sanitized. It is never used as a path or in a
 * header.
 */

/** The database's limit, in UTF-16 units, never fewer than the characters. */
export const MAX_NAME_LENGTH = 200;
const NAMELESS = "receipt";
/** No device sends a longer name; of an attacker's only the end is read. */
const LOOKED_AT = 10_000;

/**
 * Everything invisible or misleading: controls, formatting (bidi overrides turn `fdp.exe` into
 * `exe.pdf`), lone surrogates, line and paragraph separators, private and unassigned characters.
 * The two joiners are kept, because Persian, Indic scripts and emoji need them.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** The name as shown; `receipt` if nothing is left. */
export function displayFileName(given: string): string {
	const lastPart =
		given
			.slice(-LOOKED_AT)
			.split(/[/\\]/)
			.findLast((part) => cleanName(part) !== "") ?? "";
	return shortenName(cleanName(lastPart)) || NAMELESS;
}

/** A leading dot would hide the file, and a leading joiner joins nothing. */
function cleanName(part: string): string {
	return part
		.replace(/\s+/g, " ")
		.replace(INVISIBLE, "")
		.normalize("NFC")
		.replace(/ {2,}/g, " ")
		.replace(/^[. \u200c\u200d]+/, "")
		.trim();
}

/** At most 200 units; the extension is kept, since it says what the file was. */
function shortenName(name: string): string {
	if (name.length <= MAX_NAME_LENGTH) return name;
	const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
	const base = name.slice(0, MAX_NAME_LENGTH - extension.length);
	// Half a surrogate pair isn't a character.
	return base.replace(/[\ud800-\udbff]$/, "").trimEnd() + extension;
}
