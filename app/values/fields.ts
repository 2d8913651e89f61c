/**
 * Cleans forms and JSON alike: only fields that the schema has are copied, text is trimmed, and
 * empty means absent. Names are allow-listed here before conform sees them: `a[50000000]` would
 * take it seconds (docs/security.md, 'Request bodies').
 */
import * as v from "valibot";
import { ROW_ID } from "./row-id.ts";

/** A command's input: an object schema whose entries accept text. */
export type InputSchema = v.GenericSchema<unknown, unknown> & {
	readonly entries: Readonly<Record<string, v.GenericSchema>>;
};

/** What a schema returns; an absent field may be left out. */
export type Parsed<Schema extends v.GenericSchema<unknown, unknown>> = Sparse<
	v.InferOutput<Schema>
>;
type Sparse<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
	readonly [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** The field names of a schema. */
export function fieldNames(schema: InputSchema): string[] {
	return Object.keys(schema.entries);
}

/**
 * The maximum length of a field whose schema sets none: a key, an id, a date, an amount, a choice.
 */
export const SHORT_TEXT = 255;

/** How many characters a schema allows a field. */
export function maxLengthOf(schema: InputSchema, name: string): number {
	return findIn(schema.entries[name], lengthOf) ?? SHORT_TEXT;
}

/** What `has` returns for the first part of a schema for which it returns anything. */
function findIn<Found>(part: unknown, has: (part: object) => Found | undefined): Found | undefined {
	if (typeof part !== "object" || part === null) return undefined;
	const own = has(part);
	if (own !== undefined) return own;
	const inner: unknown[] =
		"pipe" in part && Array.isArray(part.pipe) ? part.pipe.filter((each) => each !== part) : [];
	if ("wrapped" in part) inner.push(part.wrapped);
	for (const each of inner) {
		const found = findIn(each, has);
		if (found !== undefined) return found;
	}
	return undefined;
}

const lengthOf = (part: object): number | undefined =>
	"type" in part &&
	part.type === "max_length" &&
	"requirement" in part &&
	typeof part.requirement === "number"
		? part.requirement
		: undefined;

const NUMERAL = { isNumeral: true } as const;
/** Marks text that JSON may also send as a number: an odometer reading, an amount, a reference. */
export const numeral = <Text extends string | undefined>() =>
	v.metadata<Text, typeof NUMERAL>(NUMERAL);

/** Whether JSON may send a field as a number. */
export function isNumeral(schema: InputSchema, name: string): boolean {
	const mark = (part: object) =>
		"metadata" in part && part.metadata === NUMERAL ? true : undefined;
	return findIn(schema.entries[name], mark) ?? false;
}

/** A text without the blanks around it, and with one kind of line break. */
const tidy = (text: string) => text.trim().replaceAll("\r\n", "\n");

/**
 * Truncates a text so that its schema still gives the same result: to one character more than
 * `most`, if it is too long.
 */
export function truncateForSchema(text: string, most: number): string {
	if (text.length <= most) return text;
	const cleaned = tidy(text);
	// Never splits a surrogate pair.
	return cleaned.slice(0, /[\ud800-\udbff]/.test(cleaned.charAt(most)) ? most + 2 : most + 1);
}

/** The beginning of a text, as much as fits into its field. */
export function truncate(text: string, most: number): string {
	return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/**
 * Characters that no text may contain: control characters except tab and line breaks, lone
 * surrogates, and the two non-characters that XML, and so a workbook, can't represent.
 */
const FORBIDDEN =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: naming them is the point
	/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether a text has a character that some export, log or screen couldn't represent. */
export function hasForbiddenCharacter(text: string): boolean {
	return FORBIDDEN.test(text);
}

/**
 * Embeddings, overrides and isolates: they change the order in which text is shown, and an unclosed
 * one reverses the text after it. Hebrew and Arabic need none of them, and the direction marks
 * (U+200E, U+200F, U+061C) reorder nothing by themselves.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether a text would be shown in a different order than it is written. */
export function hasReorderingCharacter(text: string): boolean {
	return REORDERING.test(text);
}

/**
 * Something visible: not only spaces, direction marks, joiners and fillers, which would make an
 * invisible name.
 */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point})[^\p{Z}\p{Cc}\p{Cf}\u2800]/u;

/** Whether a text has anything visible. */
const isVisible = (text: string) => VISIBLE.test(text);

const notForbidden = v.check(
	(text: string) => !hasForbiddenCharacter(text),
	"Remove the invisible characters from this text",
);
const notReordering = v.check(
	(text: string) => !hasReorderingCharacter(text),
	"This text contains hidden characters that change its direction. Type it instead of pasting it",
);

/**
 * Required text of at most `most` characters.
 * @param missing the message when it is absent
 */
export function requiredText(
	missing: string,
	most: number,
	tooLong = `Use ${most} characters or fewer`,
) {
	return v.optional(
		v.pipe(
			v.string(),
			v.transform(tidy),
			v.check(isVisible, missing),
			v.maxLength(most, tooLong),
			notForbidden,
			notReordering,
		),
		"",
	);
}

/**
 * Optional text of at most `most` characters; absent when nothing in it is visible.
 * @param invisible the message that refuses invisible characters instead
 */
export function optionalText(most: number, invisible = "") {
	return v.optional(
		v.pipe(
			v.string(),
			v.transform(tidy),
			v.maxLength(most, `Use ${most} characters or fewer`),
			notForbidden,
			notReordering,
			v.check((text) => invisible === "" || text === "" || isVisible(text), invisible),
			v.transform((text) => (isVisible(text) ? text : undefined)),
		),
		"",
	);
}

/** Optional text on one line: JSON line breaks become spaces. */
export const optionalLine = (most: number) =>
	v.pipe(
		optionalText(most),
		v.transform((text) => text?.replaceAll(/\s+/g, " ")),
	);

const NO_ROW = "This entry doesn't exist";

/** The id of a row, as forms and paths contain it. */
export const rowId = v.pipe(v.optional(v.string(), ""), v.regex(ROW_ID, NO_ROW));

/** An optional id of a row. */
export const optionalRowId = v.optional(v.pipe(v.string(), v.regex(ROW_ID, NO_ROW)));

/** Why a submission with the key of a different one is refused. */
export const KEY_REUSED = "This was already submitted with different values";
/** For a person, who can act on it. */
export const SENT_WITH_OTHER_VALUES =
	"You've already submitted this form with different values. Submit it again to save this version too.";

/** The submission key: one per rendered form, or per API request that may be repeated. */
export const submissionKey = v.optional(
	v.pipe(
		v.string(),
		v.regex(/^[\x21-\x7e]{1,255}$/, "The Idempotency-Key must be 1 to 255 visible characters"),
	),
);
