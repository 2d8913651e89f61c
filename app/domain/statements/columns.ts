/** Files with columns of their own: which column is what, as their headings tell or a person says. */
import { FEE_CATEGORIES, type FeeCategory } from "../uber-fees/rules.ts";
import { foldHeading } from "./heading.ts";

export const COLUMNS = [
	"driver",
	"category",
	"amount",
	"date",
	"reference",
	"description",
] as const;
export type Column = (typeof COLUMNS)[number];
export const COLUMN_LABELS: Readonly<Record<Column, string>> = {
	driver: "Driver",
	category: "Fee Category",
	amount: "Amount",
	date: "Date",
	reference: "Reference Number",
	description: "Description",
};
/** Columns that a file may lack. */
export const OPTIONAL_COLUMNS: readonly Column[] = ["reference", "description"];
/** Columns of a file, and characters of a reference number and a description. */
export const MAX_COLUMNS = 60;
export const MAX_REFERENCE = 100;
export const MAX_DESCRIPTION = 1000;

/**
 * The source of each value of a fee: a column counted from 0, or one category for all rows; absent
 * if there is none.
 */
export type Mapping = { readonly [Each in Column]?: number } & { readonly always?: FeeCategory };

/** The columns of a file, and what they are taken for. */
export type ChosenColumns = {
	readonly head: readonly string[];
	readonly mapping: Mapping;
	/** Why it isn't a platform's statement. */
	readonly unrecognized: string;
};

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

/** The column that says what currency each row's amount is in. */
export const currencyColumn = (head: readonly string[]): number =>
	head.findIndex((name) =>
		/^(currency|wahrung|waluta|moneda|moeda|devise|valuta)( iso)?( code)?$/.test(plain(name)),
	);

/** The required columns that nothing is known of. */
export function missingColumns({ head, mapping }: Pick<ChosenColumns, "head" | "mapping">) {
	return COLUMNS.filter(
		(column) => !OPTIONAL_COLUMNS.includes(column) && !(column === "category" && mapping.always),
	).filter((column) => mapping[column] === undefined || mapping[column] >= head.length);
}

/**
 * Which column is what below a row that names columns again: those of the same names, however they
 * were chosen, else as its headings tell; undefined if it doesn't name all that are required.
 */
export function mappingAgain(
	cells: readonly string[],
	{ head, mapping }: Pick<ChosenColumns, "head" | "mapping">,
): Mapping | undefined {
	const names = cells.map(foldHeading);
	if (names.every((name, at) => name === foldHeading(head[at] ?? ""))) return mapping;
	const named: { [Each in Column]?: number } = {};
	for (const column of COLUMNS) {
		const place = names.indexOf(foldHeading(head[mapping[column] ?? -1] ?? ""));
		if (mapping[column] !== undefined && place >= 0) named[column] = place;
	}
	const { always } = mapping;
	const guessed = guessMapping(cells);
	const isAlways = always !== undefined && guessed.category === undefined;
	return [always ? { ...named, always } : named, isAlways ? { ...guessed, always } : guessed].find(
		(again) => missingColumns({ head: cells, mapping: again }).length === 0,
	);
}

/** Whether a row has names of columns: some of the file's own, or such as other files have. */
export function namesColumns(cells: readonly string[], head: readonly string[]): boolean {
	const names = new Set(head.map(foldHeading));
	const same = cells.map(foldHeading).filter((name) => name !== "" && names.has(name));
	return same.length >= 2 || Object.keys(guessMapping(cells)).length >= 3;
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

/**
 * A category as written in a file: `Service Fee`, `service_fee`, `Booking fees`, `Commission`.
 */
export function parseCategory(text: string): FeeCategory | undefined {
	const kind = (words: string) =>
		words
			.replace(/[^a-z]+/g, " ")
			.trim()
			.replace(/^uber /, "")
			.replace(/s$/, "")
			.replace(/ fee$/, "");
	return FEE_CATEGORIES.find((category) => kind(category) === kind(foldHeading(text)));
}
