/**
 * One cleaning for forms and JSON alike: only the names a schema knows are copied, text is trimmed,
 * and what is empty is absent. Names are allow-listed here before conform sees them: `a[50000000]`
 * would cost it seconds (docs/security.md, 'Request bodies').
 */
import * as v from "valibot";
import { ROW_ID } from "./row-id.ts";

/** A command's input: an object schema whose entries take text. */
export type InputSchema = v.GenericSchema<unknown, unknown> & {
	readonly entries: Readonly<Record<string, v.GenericSchema>>;
};

/** The field names a schema knows. */
export function fieldNames(schema: InputSchema): string[] {
	return Object.keys(schema.entries);
}

/**
 * Characters of a field whose schema names no length: a key, an id, a date, an amount, a choice.
 */
export const SHORT_TEXT = 255;

/** How many characters a schema allows a field. */
export function maxLengthOf(schema: InputSchema, name: string): number {
	return lengthIn(schema.entries[name]) ?? SHORT_TEXT;
}

/** The `maxLength` somewhere in a schema. */
function lengthIn(part: unknown): number | undefined {
	if (typeof part !== "object" || part === null) return undefined;
	if ("type" in part && part.type === "max_length" && "requirement" in part)
		return typeof part.requirement === "number" ? part.requirement : undefined;
	const inner: unknown[] =
		"pipe" in part && Array.isArray(part.pipe) ? part.pipe.filter((each) => each !== part) : [];
	if ("wrapped" in part) inner.push(part.wrapped);
	for (const each of inner) {
		const found = lengthIn(each);
		if (found !== undefined) return found;
	}
	return undefined;
}

/**
 * A text that is judged by its schema as the whole would be, and is hardly longer than `most`: of
 * one that is too long, one character more than fits.
 */
export function truncateForSchema(text: string, most: number): string {
	if (text.length <= most) return text;
	const cleaned = text.trim().replaceAll("\r\n", "\n");
	// Never half a pair of surrogates.
	return cleaned.slice(0, /[\ud800-\udbff]/.test(cleaned.charAt(most)) ? most + 2 : most + 1);
}

/** The beginning of a text that fits into its field. */
export function truncate(text: string, most: number): string {
	return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/**
 * Characters that no text of ours holds: controls other than tab and line breaks, lone halves of
 * surrogate pairs, and the two non-characters that XML, and so a workbook, cannot carry.
 */
const FORBIDDEN =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** True when a text holds a character that some export, log or screen could not carry. */
export function hasForbiddenCharacter(text: string): boolean {
	return FORBIDDEN.test(text);
}

/**
 * Embeddings, overrides and isolates: they show text in another order than it is written, and one
 * left open reverses what stands beside it. Hebrew and Arabic need none of them, and the direction
 * marks (U+200E, U+200F, U+061C) reorder nothing by themselves.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** True when a text would be shown in another order than it is written. */
export function hasReorderingCharacter(text: string): boolean {
	return REORDERING.test(text);
}

/**
 * Something to see: not only spaces, direction marks and joiners, which would pass for a name and
 * show none.
 */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** True when a text has something to see. */
export const isVisible = (text: string) => VISIBLE.test(text);

const FORBIDDEN_MESSAGE = "Remove the invisible characters from this text";
const REORDERING_MESSAGE =
	"This text contains hidden characters that change its direction. Type it instead of pasting it";

/**
 * Required text of at most `most` characters.
 * @param missing what to say when it is absent
 */
export function requiredText(
	missing: string,
	most: number,
	tooLong = `Use ${most} characters or fewer`,
) {
	return v.optional(
		v.pipe(
			v.string(),
			v.transform((text) => text.trim().replaceAll("\r\n", "\n")),
			v.check(isVisible, missing),
			v.maxLength(most, tooLong),
			v.check((text) => !hasForbiddenCharacter(text), FORBIDDEN_MESSAGE),
			v.check((text) => !hasReorderingCharacter(text), REORDERING_MESSAGE),
		),
		"",
	);
}

/** Optional text of at most `most` characters; absent when empty. */
export function optionalText(most: number) {
	return v.optional(
		v.pipe(
			v.string(),
			v.transform((text) => text.trim().replaceAll("\r\n", "\n")),
			v.maxLength(most, `Use ${most} characters or fewer`),
			v.check((text) => !hasForbiddenCharacter(text), FORBIDDEN_MESSAGE),
			v.check((text) => !hasReorderingCharacter(text), REORDERING_MESSAGE),
			v.transform((text) => (text === "" ? undefined : text)),
		),
		"",
	);
}

const NO_ROW = "This entry doesn't exist";

/** The id of a row, as a form or a path carries it. */
export const rowId = v.pipe(v.optional(v.string(), ""), v.regex(ROW_ID, NO_ROW));

/** The id of a row that a form may name. */
export const optionalRowId = v.optional(v.pipe(v.string(), v.regex(ROW_ID, NO_ROW)));

/** Why a submission is refused whose key was used up by another one. */
export const KEY_REUSED = "This was already submitted with different values";
/** The same for a person, who can do something about it. */
export const SENT_WITH_OTHER_VALUES =
	"You've already submitted this form with different values. Submit it again to save this version too.";

/** The submission key: one for each form rendered or each call that may be repeated. */
export const submissionKey = v.optional(
	v.pipe(
		v.string(),
		v.regex(/^[\x21-\x7e]{1,255}$/, "The Idempotency-Key must be 1 to 255 visible characters"),
	),
);
