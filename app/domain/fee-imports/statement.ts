/** An uploaded fee statement: from bytes to a table, and which column is what. */
import Papa from "papaparse";
import { hasForbiddenCharacter } from "../../values/fields.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { foldHeading } from "../statements/heading.ts";
import { findTable } from "../statements/table-start.ts";
import { openText } from "../statements/text.ts";
import { UnreadableFile } from "../statements/unreadable-file.ts";
import { FEE_CATEGORIES, type FeeCategory } from "../uber-fees/rules.ts";
import { COLUMNS, type Column, FILE_REFUSALS, MAX_BYTES, MAX_COLUMNS, MAX_ROWS } from "./rules.ts";

type FileRefusal = Refused<"bad-file", { readonly message: string }>;
const badFile = (message: string): FileRefusal => refused("bad-file", { message });

/** The text of a file: UTF-8 or UTF-16, with or without a byte order mark. */
export async function decodeText(bytes: Uint8Array): Promise<Outcome<string, FileRefusal>> {
	if (bytes.byteLength > MAX_BYTES) return badFile(FILE_REFUSALS.tooLarge);
	try {
		if (bytes.byteLength === 0) return badFile(FILE_REFUSALS.empty);
		const opened = await openText(streamOf(bytes));
		if ("kind" in opened) return badFile(opened.message);
		let text = "";
		for await (const piece of opened.pieces) text += piece;
		return done(text);
	} catch (error) {
		if (!(error instanceof UnreadableFile)) throw error;
		return badFile(FILE_REFUSALS.notText);
	}
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
	return new ReadableStream({
		start(controller) {
			controller.enqueue(bytes);
			controller.close();
		},
	});
}

/** A row below the headings; `number` is its row in a spreadsheet. */
export type StatementRow = { readonly number: number; readonly cells: readonly string[] };
export type Statement = {
	readonly head: readonly string[];
	readonly rows: readonly StatementRow[];
	/** What separates its cells. */
	readonly separator: string;
};

/**
 * The table in a text separated by commas, semicolons or tabs, with headings in its first row, below
 * a `sep=` line or titles. Empty rows are ignored.
 */
export function parseStatement(text: string): Outcome<Statement, FileRefusal> {
	if (new TextEncoder().encode(text).byteLength > 2 * MAX_BYTES)
		return badFile(FILE_REFUSALS.tooLarge);
	if (hasForbiddenCharacter(text)) return badFile(FILE_REFUSALS.notText);
	const start = findTable(text.replace(/\r\n?/g, "\n"), true);
	const { data, errors, meta } = Papa.parse<string[]>(text, {
		...(start ? { delimiter: start.dialect.separator } : {}),
		delimitersToGuess: [",", ";", "\t"],
		preview: 4 * MAX_ROWS,
	});
	const torn = errors.find(({ type }) => type === "Quotes");
	if (torn)
		return badFile(
			`Row ${(torn.row ?? 0) + 1} has an unclosed quotation mark. Fix it in the file and try again.`,
		);
	const filled = data
		.map((cells, position) => ({ number: position + 1, cells: cells.map((cell) => cell.trim()) }))
		.filter(
			({ number, cells }) => number >= (start?.headerRow ?? 1) && cells.some((cell) => cell !== ""),
		);
	const [head, ...rows] = filled;
	if (!head || rows.length === 0) return badFile(FILE_REFUSALS.empty);
	// Spreadsheets end in any number of empty rows; those aren't read.
	const hasMore = /[^\s,;"]/.test(text.slice(meta.cursor));
	if (rows.length > MAX_ROWS || hasMore) return badFile(FILE_REFUSALS.tooManyRows);
	if (filled.some(({ cells }) => cells.length > MAX_COLUMNS))
		return badFile(FILE_REFUSALS.tooManyColumns);
	return done({ head: head.cells, rows, separator: meta.delimiter });
}

/**
 * The source of each value of a fee: a column counted from 0, or one category for all rows; absent
 * if there is none.
 */
export type Mapping = { readonly [Each in Column]?: number } & { readonly always?: FeeCategory };

/** Words in a heading, most likely first. */
const NAMES: Readonly<Record<Column, readonly RegExp[]>> = {
	driver: [
		/^driver (code|id)$/,
		/^(driver )?e ?mail( address)?$/,
		/^driver( name)?$/,
		/^(full )?name$/,
		/driver/,
	],
	category: [/^(fee )?(category|type)$/, /^fee$/, /category/, /type/],
	amount: [/^(fee )?amount( usd)?$/, /^(total|cost|charge)$/, /amount/, /fare|total|charge|cost/],
	date: [/^(fee |trip |charge )?date$/, /date/, /^day$/],
	reference: [
		/^reference( number| no| id)?$/,
		/^ref( number| no| id)?$/,
		/^(trip|transaction|invoice) (id|number|no|uuid)$/,
		/reference/,
	],
	description: [/^(description|notes?|memo|comments?)$/, /descri|note|memo/],
};

const plain = (text: string) =>
	foldHeading(text)
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();

/** Which column is what, as far as the headings tell; no column is used twice. */
export function guessMapping(head: readonly string[]): Mapping {
	const names = head.map(plain);
	const mapping: { [Each in Column]?: number } = {};
	const taken = new Set<number>();
	// The most certain names first, so that 'Driver ID' isn't mistaken for a reference number.
	for (let rank = 0; rank < 5; rank++)
		for (const column of COLUMNS) {
			const pattern = NAMES[column][rank];
			const place =
				pattern === undefined || mapping[column] !== undefined
					? -1
					: names.findIndex((name, at) => !taken.has(at) && pattern.test(name));
			if (place < 0) continue;
			mapping[column] = place;
			taken.add(place);
		}
	return mapping;
}

/** The form field for the source of a value. */
export const columnField = (column: Column) => `${column}Column`;
const ALWAYS = "always-";
export const alwaysValue = (category: FeeCategory) => `${ALWAYS}${category}`;

/** The source of each value according to a form; invalid ones are left out. */
export function parseMapping(fields: { get(name: string): unknown }): Mapping {
	const mapping: { [Each in Column]?: number } = {};
	for (const column of COLUMNS) {
		const value = fields.get(columnField(column));
		if (typeof value === "string" && /^\d{1,2}$/.test(value)) mapping[column] = Number(value);
	}
	const asked = fields.get(columnField("category"));
	const always = FEE_CATEGORIES.find((category) => asked === alwaysValue(category));
	return always ? { ...mapping, always } : mapping;
}

/** A mapping as form fields. */
export function mappingToFields(mapping: Mapping): Record<string, string> {
	const value = (column: Column) =>
		column === "category" && mapping.always
			? alwaysValue(mapping.always)
			: String(mapping[column] ?? "");
	return Object.fromEntries(COLUMNS.map((column) => [columnField(column), value(column)]));
}
