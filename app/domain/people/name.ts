/**
 * What a person's name may be. Names appear in email subjects, lists and beside money, so a name
 * must be visible, stay on its line, and be mistaken neither for a link nor for our own label of a
 * driver.
 */

/**
 * Scripts whose letters are joined or kept apart by U+200C and U+200D, as in Persian and Hindi
 * names.
 */
const JOINED = [
	"Arab",
	"Syrc",
	"Mong",
	"Nkoo",
	"Deva",
	"Beng",
	"Guru",
	"Gujr",
	"Orya",
	"Taml",
	"Telu",
	"Knda",
	"Mlym",
	"Sinh",
	"Khmr",
	"Mymr",
	"Tibt",
]
	.map((script) => `\\p{scx=${script}}`)
	.join("");
/** Joiners between letters of those scripts, and variants of a Chinese character. */
const LEGITIMATE = new RegExp(
	`(?<=[${JOINED}])[\\u200c\\u200d](?=[${JOINED}])|(?<=\\p{sc=Han})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]`,
	"gu",
);
/** The direction marks of Hebrew and Arabic, which reorder nothing. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/g;
/** Invisible, whatever Unicode calls it: U+3164 is a letter to it, and U+2800 a symbol. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
const LETTER = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u;
const LINE_OR_TAB = /[\t\n\r\u2028\u2029]/;
const COMMON_ENDS =
	"com|net|org|edu|gov|info|biz|io|co|app|dev|me|ly|ai|xyz|link|click|site|online|shop|store|top|live|page|web|cloud|us|uk|eu|de|fr|es|ru|cn|in|br";
/** `//...`, `www.a.b`, `a.b/c`, `ab.com` and `a@b`. */
const WEB_ADDRESS = new RegExp(
	`//|[\\p{L}\\p{N}]@[\\p{L}\\p{N}]|\\bwww\\d?\\.|[\\p{L}\\p{N}]\\.\\p{L}{2,}[/:?#]|[\\p{L}\\p{N}_-]{2,}\\.(?:${COMMON_ENDS})(?![\\p{L}\\p{N}])`,
	"iu",
);
/** `ab.anything` and `a.com` in small letters, unlike `St.John` and `j.smith`. */
const SMALL_DOMAIN =
	/[\p{L}\p{N}_-]{2,}\.\p{Ll}{2,}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.])[\p{L}\p{N}]\.(?:com?|net|org)(?![\p{L}\p{N}])/u;
/** `(DRV-0001` and `DRV-0001)`, in any brackets, even if the other name has the rest. */
const DRIVER_CODE =
	/[\p{Ps}<]\s*DRV[\s\p{Pd}_.]*(?:\p{Nd}|$)|DRV[\s\p{Pd}_.]*\p{Nd}+\s*[\p{Pe}>]/iu;

/** What is wrong with a name as it was typed, without the blanks around it. */
export function faultOfName(name: string): string | undefined {
	if (LINE_OR_TAB.test(name)) return "Use one line without tabs";
	if (INVISIBLE.test(name.replace(LEGITIMATE, "").replace(DIRECTION_MARKS, "")))
		return "Remove the invisible characters from this text";
	if (!LETTER.test(name)) return "Enter a name with at least one letter";
	// Full-width forms look like their plain ones, and browsers read them so.
	const plain = name.normalize("NFKC").replace(/[\u3002\uff61]/g, ".");
	if (WEB_ADDRESS.test(plain) || SMALL_DOMAIN.test(plain)) return "Leave the link out of the name";
	return DRIVER_CODE.test(plain) ? "Leave the driver ID out of the name" : undefined;
}
