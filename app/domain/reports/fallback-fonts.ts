/**
 * The fonts for scripts that the reports' own fonts lack. A PDF loads only those that its text
 * needs (docs/decisions/0014).
 */

import korean from "@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf?url";
import emoji from "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf?url";
import devanagari from "@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf?url";
import chinese from "@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf?url";
import thai from "@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf?url";

/** Which characters each has, and its path; of several with a character the first one is taken. */
const FALLBACK_FONTS: readonly (readonly [has: RegExp, path: string])[] = [
	[/\p{Script=Thai}/u, thai],
	[/\p{Script=Devanagari}/u, devanagari],
	[/\p{Script=Hangul}/u, korean],
	// Chinese and Japanese, with their punctuation and their wide letters.
	[
		/\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u30ff\uff00-\uffee]/u,
		chinese,
	],
	[/[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u, emoji],
];

/** The paths of the fonts that have any of these characters. */
export const fallbackFontsFor = (characters: string): string[] =>
	FALLBACK_FONTS.filter(([has]) => has.test(characters)).map(([, path]) => path);
