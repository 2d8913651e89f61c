/**
 * Cursors: where a page of a list goes on, as text in a URL. A list names the columns it is sorted
 * by; the text holds their values joined by underscores.
 */

import { type CalendarDate, isCalendarDate } from "./calendar-date.ts";

/** The kinds of columns a list can be sorted by, with the text each takes. */
const KINDS = {
	/** A whole number: UTC milliseconds, a row number. */
	number: "\\d{1,15}",
	/** An odometer reading. */
	miles: "\\d{1,7}",
	/** A calendar date, `YYYY-MM-DD`. */
	date: "\\d{4}-\\d{2}-\\d{2}",
	/** A row's id: a UUID, or 32 hex digits. */
	id: "[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}",
} as const;

type Shape = Readonly<Record<string, keyof typeof KINDS>>;
/** The values of a cursor, by column. */
export type CursorOf<S extends Shape> = {
	readonly [K in keyof S]: S[K] extends "id" ? string : S[K] extends "date" ? CalendarDate : number;
};

export type Cursors<S extends Shape> = {
	/** The cursor in a text; anything else is `undefined`, which is the first page. */
	readonly parse: (text: string | null) => CursorOf<S> | undefined;
	/** The text of the cursor after a row. */
	readonly format: (row: CursorOf<S>) => string;
};

/**
 * The cursors of a list.
 * @param shape the columns it is sorted by, in order, and the kind of each
 */
export function cursors<const S extends Shape>(shape: S): Cursors<S> {
	const columns = Object.entries(shape);
	const pattern = new RegExp(`^${columns.map(([, kind]) => `(${KINDS[kind]})`).join("_")}$`);
	return {
		parse(text) {
			const parts = pattern.exec(text ?? "");
			if (!parts) return undefined;
			const values: Record<string, string | number> = {};
			for (const [position, [name, kind]] of columns.entries()) {
				const part = parts[position + 1] ?? "";
				if (kind === "date" && !isCalendarDate(part)) return undefined;
				values[name] = kind === "number" || kind === "miles" ? Number(part) : part;
			}
			return values as CursorOf<S>;
		},
		format: (row) => columns.map(([name]) => row[name]).join("_"),
	};
}

/**
 * Which page of a list: the rows after one, or those before one. Without a position it is the first
 * page.
 */
export type Position<Cursor> = { readonly way: "after" | "before"; readonly cursor: Cursor };

/** A page, and the positions of its neighbors, where there are any. */
export type Page<Row, Cursor> = {
	readonly rows: readonly Row[];
	readonly previous: Position<Cursor> | undefined;
	readonly next: Position<Cursor> | undefined;
};

/**
 * The names of a position's parameters in an address; a screen with several lists has several
 * pairs.
 */
export type PositionNames = { readonly after: string; readonly before: string };
const NAMES: PositionNames = { after: "after", before: "before" };

/** The position in an address; a cursor that is none counts as not given. */
export function readPosition<Cursor>(
	query: URLSearchParams,
	parse: (text: string | null) => Cursor | undefined,
	names = NAMES,
): Position<Cursor> | undefined {
	for (const way of ["before", "after"] as const) {
		const cursor = parse(query.get(names[way]));
		if (cursor !== undefined) return { way, cursor };
	}
	return undefined;
}

/** A position as a parameter of an address, by its name; none has none. */
export function positionParameter<Cursor>(
	position: Position<Cursor> | undefined,
	format: (cursor: Cursor) => string,
	names = NAMES,
): Readonly<Record<string, string>> {
	return position ? { [names[position.way]]: format(position.cursor) } : {};
}

/** Writes a position into an address; none leaves the address as it is. */
export function setPosition<Cursor>(
	query: URLSearchParams,
	position: Position<Cursor> | undefined,
	format: (cursor: Cursor) => string,
	names = NAMES,
): void {
	if (position) query.set(names[position.way], format(position.cursor));
}

/**
 * The page that was read.
 * @param found the rows in the direction they were read in, away from the position: one more than
 * `size` tells that there are others
 * @param cursorOf a row's cursor
 */
export function toPage<Row, Cursor>(
	found: readonly Row[],
	position: Position<Cursor> | undefined,
	size: number,
	cursorOf: (row: Row) => Cursor,
): Page<Row, Cursor> {
	const isBackwards = position?.way === "before";
	const rows = isBackwards ? found.slice(0, size).reverse() : found.slice(0, size);
	const hasMore = found.length > size;
	const [first] = rows;
	const last = rows.at(-1);
	const hasPrevious = isBackwards ? hasMore : position !== undefined;
	const hasNext = isBackwards || hasMore;
	return {
		rows,
		previous:
			first !== undefined && hasPrevious ? { way: "before", cursor: cursorOf(first) } : undefined,
		next: last !== undefined && hasNext ? { way: "after", cursor: cursorOf(last) } : undefined,
	};
}

/** The addresses of a page's neighbors, where there are any. */
export type PageLinks = {
	/** Absent on the first page. */
	readonly first?: string | undefined;
	readonly previous?: string | undefined;
	readonly next?: string | undefined;
};

/**
 * The links under a page.
 * @param position of the page itself
 * @param addressOf the address of the list at a position
 */
export function pageLinks<Cursor>(
	position: Position<Cursor> | undefined,
	{ previous, next }: Pick<Page<unknown, Cursor>, "previous" | "next">,
	addressOf: (position: Position<Cursor> | undefined) => string,
): PageLinks {
	return {
		first: position && addressOf(undefined),
		previous: previous && addressOf(previous),
		next: next && addressOf(next),
	};
}
