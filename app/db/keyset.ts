/**
 * The rows of a page as SQL: what stands past a position in the order of a list, read away from it.
 */
import { type Column, type SQL, sql } from "drizzle-orm";

/**
 * Which way a page is read, and the values that its position stands at: one for each column of the
 * order, or a sub-select of them.
 */
export type KeysetPosition = {
	readonly way: "after" | "before";
	/** Absent where something else bounds the page. */
	readonly values?: readonly unknown[] | SQL | undefined;
};

/**
 * The condition and the order of one page. A page before a position is read backwards: `toPage` in
 * values/cursor.ts turns it round.
 * @param columns the list is sorted by, all in one direction; an index has them in this order
 * @param direction of the list as it is shown
 * @param place absent for the first page
 */
export function keyset(
	columns: readonly (Column | SQL)[],
	direction: "asc" | "desc",
	place: KeysetPosition | undefined,
): { readonly past: SQL | undefined; readonly order: SQL } {
	const isDescending = (direction === "desc") !== (place?.way === "before");
	const list = (parts: readonly unknown[]) =>
		sql.join(
			parts.map((part) => sql`${part}`),
			sql`, `,
		);
	const order = sql.join(
		columns.map((column) => (isDescending ? sql`${column} desc` : sql`${column} asc`)),
		sql`, `,
	);
	if (!place?.values) return { past: undefined, order };
	const values = Array.isArray(place.values) ? sql`(${list(place.values)})` : place.values;
	const sign = isDescending ? sql`<` : sql`>`;
	return { past: sql`(${list(columns)}) ${sign} ${values}`, order };
}
