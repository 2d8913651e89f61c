import { type SQL, sql } from "drizzle-orm";

/**
 * A word of a fixed set, such as a status, in a statement's text. If an index's condition has the
 * column, SQLite plans with a bound value, and prepares the statement again for each run.
 * @throws Error for anything but lowercase letters and hyphens
 */
export function literal(word: string): SQL {
	if (!/^[a-z-]+$/.test(word)) throw new Error(`"${word}" must be bound`);
	return sql.raw(`'${word}'`);
}
