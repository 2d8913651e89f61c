/**
 * Cursors: a position in a list, as text in a URL. A list names the columns it is sorted by, and
 * the text is their values joined by underscores.
 */

import { type CalendarDate, isCalendarDate } from "./calendar-date.ts";

/** The kinds of columns a list can be sorted by, with the text each accepts. */
const KINDS = {
	/** A whole number: UTC milliseconds, a row number. */
	number: "\\d{1,15}",
	/** An odometer reading. */
	miles: "\\d{1,7}",
	/** A calendar date, `YYYY-MM-DD`. */
	date: "\\d{4}-\\d{2}-\\d{2}",
	/** A row's id: a UUID, or 32 hex digits. */
	id: "[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}",
	/** Anything typed, such as a name. */
	text: "[^_ ]*",
} as const;

type Shape = Readonly<Record<string, keyof typeof KINDS>>;
/** The values of a cursor, by column. */
export type CursorOf<S extends Shape> = {
	readonly [K in keyof S]: S[K] extends "id" | "text"
		? string
		: S[K] extends "date"
			? CalendarDate
			: number;
};

export type Cursors<S extends Shape> = {
	/** Parses a cursor; anything invalid is `undefined`, which means the first page. */
	readonly parse: (text: string | null) => CursorOf<S> | undefined;
	/** The cursor of a row. */
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
				const text = kind === "text" ? decodeText(part) : part;
				if (text === undefined) return undefined;
				values[name] = kind === "number" || kind === "miles" ? Number(part) : text;
			}
			return values as CursorOf<S>;
		},
		format: (row) =>
			columns
				.map(([name, kind]) => (kind === "text" ? encodeText(String(row[name])) : row[name]))
				.join("_"),
	};
}

const encodeText = (text: string) => encodeURIComponent(text).replaceAll("_", "%5F");
function decodeText(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/**
 * Which page of a list: the rows after a cursor, or those before one. Without a position it is the
 * first page.
 */
export type Position<Cursor> = { readonly way: "after" | "before"; readonly cursor: Cursor };

/** A page, and the positions of its neighbors, if there are any. */
export type Page<Row, Cursor> = {
	readonly rows: readonly Row[];
	readonly previous: Position<Cursor> | undefined;
	readonly next: Position<Cursor> | undefined;
};

/** The names of a position's URL parameters; a screen with several lists has several pairs. */
export type PositionNames = { readonly after: string; readonly before: string };
const NAMES: PositionNames = { after: "after", before: "before" };

/** The position in a URL; an invalid cursor is ignored. */
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

/** A position as a URL parameter; undefined without a position. */
export function positionParameter<Cursor>(
	position: Position<Cursor> | undefined,
	format: (cursor: Cursor) => string,
): Readonly<Record<string, string>> {
	return position ? { [NAMES[position.way]]: format(position.cursor) } : {};
}

/** Adds a position to a URL's parameters, if there is one. */
export function setPosition<Cursor>(
	query: URLSearchParams,
	position: Position<Cursor> | undefined,
	format: (cursor: Cursor) => string,
	names = NAMES,
): void {
	if (position) query.set(names[position.way], format(position.cursor));
}

/**
 * Makes a page of the rows that were read.
 * @param found rows in reading order, away from the position; one more than `size` means that there
 * are more
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

/** The URLs of a page's neighbors, if there are any. */
export type PageLinks = {
	/** Absent on the first page. */
	readonly first?: string | undefined;
	readonly previous?: string | undefined;
	readonly next?: string | undefined;
};

/**
 * The links under a page.
 * @param position of the page itself
 * @param addressOf the list's URL at a position
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
