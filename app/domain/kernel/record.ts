/**
 * A record describes each column of a table once. Lists, JSON, the person's data and its erasure
 * loop over it, and a column without a description doesn't compile.
 */

export type Column = {
	/**
	 * What the export and the erasure of someone's data do: `text` is exported and replaced, `figure`
	 * exported and kept, `hash` replaced (a guess at a text could be checked against it), and `none`
	 * neither.
	 */
	readonly personal: "text" | "figure" | "hash" | "none";
	/** Its name in JSON; without one the API hasn't got it. */
	readonly wire?: string;
	/** Its name in the files of someone's data, if not its own. */
	readonly file?: string;
	/** What JSON and files show, if not what is stored; `name` is that of the person with this id. */
	readonly as?: "moment" | "dollars" | "flag" | "name";
	/** Replaces a text that can't be empty. */
	readonly erased?: string;
	/** Its name in the audit's entries, which keep it when texts are erased. */
	readonly audit?: string;
	/** Whoever makes the row types it, under its name in JSON. */
	readonly isTyped?: true;
	/** Which reads select it: lists, the driver's history, documents. */
	readonly in?: readonly ("list" | "history" | "document")[];
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

const toIso = (moment: unknown) =>
	moment === null ? null : new Date(Number(moment)).toISOString();

/** A row's values in JSON, under their names there. */
export function toWire(record: Columns, row: object): Row {
	const values = row as Row;
	return Object.fromEntries(
		columnsOf(record).flatMap(([name, { wire, as }]) => {
			const value = values[name] ?? null;
			return wire ? [[wire, as === "moment" ? toIso(value) : value]] : [];
		}),
	);
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

/** A row as its form is filled in to correct it. */
export function typedFields(record: Columns, row: object): Record<string, string> {
	const values = row as Row;
	return Object.fromEntries(
		columnsOf(record).flatMap(([name, { isTyped, wire }]) =>
			isTyped && wire ? [[wire, String(values[name] ?? "")]] : [],
		),
	);
}
