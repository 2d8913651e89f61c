/** Files with custom columns: which column is what, from their headings or from a person. */
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

type Heading = {
	/** What it may be called, best first. */
	readonly names: readonly RegExp[];
	/** Words that tell if no other heading has them, best first. */
	readonly like: readonly RegExp[];
	/** Words of headings that plainly are something else. */
	readonly not: RegExp;
};

/** What the columns' headings look like, folded and without punctuation. */
const HEADINGS: Readonly<Record<Column, Heading>> = {
	driver: {
		names: [
			/^driver (code|id)$/,
			/^(driver )?e ?mail( address)?$/,
			/^drivers?( full)?( name)?$/,
			/^(full )?name$/,
		],
		like: [/driver/],
		not: /(first|last|given|family) ?name|surname|phone|mobile|rating|score|status|type|licen[cs]e|vehicle|plate|address|city|birth|date|hours|trips|total|\bfees?\b|pay|earning|share|\btips?\b|commission/,
	},
	category: {
		names: [/^((fee|charge) )?(category|type)$/, /^fee$/],
		like: [/category/, /type/],
		not: /vehicle|\bcar\b|driver|customer|rider|trip|\bride|product|pay|account|user|currency|licen[cs]e|document|file/,
	},
	amount: {
		names: [
			/^(fee )?amount( usd)?$/,
			/^(total fees?|fees? total|total amount)$/,
			/^fees?$/,
			/^(total|cost|charge)$/,
		],
		like: [/amount/, /\bfees?\b/, /fare|total|charge|cost/],
		not: /trips|rides|orders|hours|minutes|time|duration|miles|\bkm\b|distance|count|number|\bno\b|quantity|\bqty\b|percent|\brate\b|rating|points|\btips?\b|\btolls?\b|\btax|\bvat\b|\bcash\b|\bcent(er|re)\b|\b(id|code|type|kind|category|name|description|date|reference|currency)\b/,
	},
	date: {
		names: [/^(fee |charge )?date$/, /^(trip|transaction) date$/],
		like: [/date|^day$/],
		not: /update|modified|changed|birth|mandate|candidate|valid|expir|licen[cs]e|\bhire|\bjoin|regist|\bdue\b|pay ?out/,
	},
	reference: {
		names: [
			/^reference( number| no| id)?$/,
			/^ref( number| no| id)?$/,
			/^(trip|transaction|invoice) (id|number|no|uuid)$/,
		],
		like: [/reference/],
		not: /vehicle|driver|customer|rider/,
	},
	description: {
		names: [/^(description|notes?|memo|comments?)$/],
		like: [/descri|note|memo/],
		not: /vehicle|driver|customer|rider/,
	},
};

const plain = (text: string) =>
	foldHeading(text)
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.trim();

/**
 * Which column is what, as far as the headings tell; no column is used twice. A word in several
 * headings tells nothing, nor do two names that both mean the amount or the date.
 */
export const guessMapping = (head: readonly string[]): Mapping => guess(head, true);

/** @param isSure whether headings that may mean something else, or resemble others, don't count */
function guess(head: readonly string[], isSure: boolean): { [Each in Column]?: number } {
	const names = head.map(plain);
	const mapping: { [Each in Column]?: number } = {};
	const free = new Set(names.keys());
	const placesOf = (pattern: RegExp | undefined, not?: RegExp) =>
		[...free].filter((at) => pattern?.test(names[at] ?? "") && !not?.test(names[at] ?? ""));
	const open = new Set<Column>(COLUMNS);
	const take = (column: Column, [place, ...others]: readonly number[], isFirstMeant: boolean) => {
		if (place === undefined || !open.delete(column)) return;
		if (others.length > 0 && !isFirstMeant) return;
		mapping[column] = place;
		free.delete(place);
	};
	// The most certain names first, so that 'Driver ID' isn't mistaken for a reference number.
	for (let rank = 0; rank < 4; rank++)
		for (const column of COLUMNS)
			take(column, placesOf(HEADINGS[column].names[rank]), !isSure || !isAlwaysReadable(column));
	for (const column of COLUMNS) {
		const { like, not } = HEADINGS[column];
		const found = like.map((word) => placesOf(word, isSure ? not : undefined));
		take(column, found.find((places) => places.length > 0) ?? [], !isSure);
	}
	return mapping;
}

/**
 * Whether a wrong column would be read without a complaint: any amount or date is valid. A wrong
 * driver or category is asked about or listed.
 */
const isAlwaysReadable = (column: Column) => column === "amount" || column === "date";

/** The column that says what currency each row's amount is in. */
export const currencyColumn = (head: readonly string[]): number =>
	head.findIndex((name) =>
		/^(currency|wahrung|waluta|moneda|moeda|devise|valuta)( iso)?( code)?$/.test(plain(name)),
	);

/** The required columns that aren't known yet. */
export function missingColumns({ head, mapping }: Pick<ChosenColumns, "head" | "mapping">) {
	return COLUMNS.filter(
		(column) => !OPTIONAL_COLUMNS.includes(column) && !(column === "category" && mapping.always),
	).filter((column) => mapping[column] === undefined || mapping[column] >= head.length);
}

/**
 * Which column is what below a row that names columns again: by the same names, however they were
 * chosen, or else by its headings; undefined if it doesn't name all that are required.
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
	return same.length >= 2 || Object.keys(guess(cells, false)).length >= 3;
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
