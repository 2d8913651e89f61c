/**
 * A record describes each column of a table once. Lists, JSON, the person's data and its erasure
 * loop over it, and a column without a description doesn't compile.
 */

import { toDecimal } from "../../values/money.ts";

export type Column = Described & (Typed | { readonly isTyped?: undefined });
/** Typed by the row's creator, under its name in JSON: it is theirs, so it is exported. */
type Typed = {
	readonly isTyped: true;
	readonly wire: string;
	readonly personal: "text" | "figure";
};
type Described = {
	/**
	 * What the export and the erasure of someone's data do: `text` is exported and replaced, `figure`
	 * exported and kept, `hash` replaced (a guess at a text could be checked against it), and `none`
	 * neither.
	 */
	readonly personal: "text" | "figure" | "hash" | "none";
	/** Its name in JSON; without one the API leaves it out. */
	readonly wire?: string;
	/** Its name in the files of someone's data, if not its own. */
	readonly file?: string;
	/**
	 * What JSON and files show, if not what is stored; `name` is the name of the person with this id,
	 * `percent` is stored in hundredths.
	 */
	readonly as?: "moment" | "dollars" | "percent" | "flag" | "name";
	/** Replaces a text that can't be empty. */
	readonly erased?: string;
	/** Its name in the audit's entries, which keep it when texts are erased. */
	readonly audit?: string;
	/** Which reads select it: lists, rows that open to the rest, the driver's history, documents. */
	readonly in?: readonly ("list" | "row" | "history" | "document")[];
};
export type Columns = Readonly<Record<string, Column>>;

/** The descriptions in order, with the columns' names. */
export const columnsOf = (record: Columns): [name: string, column: Column][] =>
	Object.entries(record);

type Place = NonNullable<Column["in"]>[number];
/** The names of the columns that some reads select. */
export type In<R extends Columns, Where extends Place> = {
	[Name in keyof R]: R[Name] extends { readonly in: readonly (infer Each)[] }
		? Where extends Each
			? Name
			: never
		: never;
}[keyof R];

/** The part of a table's columns, or of a row, that some reads select. */
export function pick<R extends Columns, Where extends Place, All extends Record<keyof R, unknown>>(
	all: All,
	record: R,
	where: Where,
): Pick<All, In<R, Where>> {
	const names = columnsOf(record).filter(([, column]) => column.in?.includes(where));
	return Object.fromEntries(names.map(([name]) => [name, all[name]])) as Pick<All, In<R, Where>>;
}

type Row = Readonly<Record<string, string | number | boolean | null>>;

const WIRE = {
	moment: (value: unknown) => (value === null ? null : new Date(Number(value)).toISOString()),
	dollars: (value: unknown) => (value === null ? null : toDecimal(Number(value))),
	percent: (value: unknown) => (value === null ? null : Number(value) / 100),
};
const isConverted = (as: Column["as"]): as is keyof typeof WIRE =>
	as !== undefined && Object.hasOwn(WIRE, as);

type WireColumn = {
	readonly name: string;
	readonly wire: string;
	readonly convert: (typeof WIRE)[keyof typeof WIRE] | undefined;
};
/** A list has thousands of rows of one record. */
const wireColumns = new WeakMap<Columns, readonly WireColumn[]>();

function wireColumnsOf(record: Columns): readonly WireColumn[] {
	const kept = wireColumns.get(record);
	if (kept) return kept;
	const found = columnsOf(record).flatMap(([name, { wire, as }]) =>
		wire ? [{ name, wire, convert: isConverted(as) ? WIRE[as] : undefined }] : [],
	);
	wireColumns.set(record, found);
	return found;
}

/** A row's values in JSON, under their names there. */
export function toWire(record: Columns, row: object): Row {
	const values = row as Row;
	const shown: Record<string, Row[string]> = {};
	for (const { name, wire, convert } of wireColumnsOf(record)) {
		const value = values[name] ?? null;
		shown[wire] = convert ? convert(value) : value;
	}
	return shown;
}

/** What was typed for each of a record's columns, by the columns' names. */
export function typedValues(
	record: Columns,
	input: object,
): Record<string, string | number | null> {
	const typed = input as Readonly<Record<string, string | number | undefined>>;
	return Object.fromEntries(
		columnsOf(record).flatMap(([name, { isTyped, wire }]) =>
			isTyped && wire ? [[name, typed[wire] ?? null]] : [],
		),
	);
}

/**
 * Typed values that a submission's fingerprint names only if they are filled in: fields that came
 * later, so that what a phone sent to the previous release is recognized.
 */
export const filledIn = (typed: ReturnType<typeof typedValues>) =>
	Object.entries(typed).flatMap(([name, value]) => (value === null ? [] : [name, value]));

/** A row as its form is filled in to correct it. */
export function typedFields(record: Columns, row: object): Record<string, string> {
	const values = row as Row;
	return Object.fromEntries(
		columnsOf(record).flatMap(([name, { isTyped, wire }]) =>
			isTyped && wire ? [[wire, String(values[name] ?? "")]] : [],
		),
	);
}
