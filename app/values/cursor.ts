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
