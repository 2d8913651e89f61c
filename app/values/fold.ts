/**
 * Folds names for comparison: without case, accents, apostrophes and hyphens, so that `Lena Nguyen`
 * matches `Łena Nguyễn`. The database folds names letter by letter with the table `letters`, which
 * has what `foldLetter` returns (decision 51).
 */

/** Alphabets whose letters are folded; other letters are compared as they are. */
const FOLDED_SCRIPT =
	/\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian}|\p{Script=Georgian}/u;
/** Accents above and below, the points of Hebrew and Arabic, and invisible characters. */
const MARK =
	// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is a character of its own
	/[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u2060\u20d0-\u20ff\ufe20-\ufe2f\ufeff]/gu;
const APOSTROPHE = /['`\u00b4\u02b9-\u02bf\u02c8\u2018-\u201b\u2032\uff07]/gu;
/** Spaces and punctuation, which end a word. */
const SEPARATOR =
	/[\t-\r !"#$%&()*+,\-./:;<=>?@[\\\]^_{|}~\u0085\u00a0\u00ab\u00b7\u00bb\u1680\u2000-\u200a\u2010-\u2017\u201c-\u2027\u2028\u2029\u202f\u2039\u203a\u205f\u2212\u3000\uff0c\uff0d\uff0e]/gu;

/** Letters without a decomposition, and how people type them instead. */
const PLAIN: Readonly<Record<string, string>> = {
	ł: "l",
	ø: "o",
	ß: "ss",
	đ: "d",
	ð: "d",
	þ: "th",
	æ: "ae",
	œ: "oe",
	ı: "i",
	ħ: "h",
	ŧ: "t",
	ŋ: "n",
	ə: "e",
	ɓ: "b",
	ɗ: "d",
	ɖ: "d",
	ƙ: "k",
	ƴ: "y",
	ƶ: "z",
	ɨ: "i",
	ʉ: "u",
	ɵ: "o",
	// The sigma at the end of a word.
	ς: "σ",
};

const bare = (text: string) =>
	text.replace(MARK, "").replace(APOSTROPHE, "").replace(SEPARATOR, " ");

/** What a letter is compared as: zero or more letters. */
export function foldLetter(letter: string): string {
	if (!FOLDED_SCRIPT.test(letter)) return bare(letter);
	const small = bare(bare(letter.normalize("NFKD")).toLowerCase());
	return toPlain(small);
}

/** Small letters without a decomposition as people type them instead: `øst` as `ost`. */
export const toPlain = (small: string): string =>
	[...small].map((each) => PLAIN[each] ?? each).join("");

/** A folded name: its words, separated by single spaces. */
export function fold(text: string): string {
	return [...text].map(foldLetter).join("").replace(/ +/g, " ").trim();
}
