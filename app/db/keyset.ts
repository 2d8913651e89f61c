/** Keyset pagination in SQL: the rows of a list beyond a position, in either direction. */
import { type Column, type SQL, sql } from "drizzle-orm";

/**
 * Which way to read, and the values at the position: one for each column of the order, or a
 * sub-select of them.
 */
export type KeysetPosition = {
	readonly way: "after" | "before";
	/** Undefined if something else bounds the page. */
	readonly values?: readonly unknown[] | SQL | undefined;
};

/**
 * The condition and the order of one page. A page before a position is read backwards, and `toPage`
 * in values/cursor.ts reverses it.
 * @param columns the list's order, all in one direction and in an index's order
 * @param direction of the list as it is shown
 * @param place undefined for the first page
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
