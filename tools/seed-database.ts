/** Writes seed rows to a D1 database. */
import type { Seed } from "../tests/support/cast.ts";

type D1 = {
	prepare(query: string): { bind(...values: unknown[]): unknown };
	batch(statements: unknown[]): Promise<unknown>;
};

/**
 * Inserts all rows or none: an interrupted seed would leave a fleet that is never seeded again.
 * Each table is one statement that reads its rows from JSON; all of them have the same columns.
 */
export async function insertSeed(database: unknown, seed: Seed): Promise<void> {
	const db = database as D1;
	const statements = seed.flatMap(([table, rows]) => {
		const names = Object.keys(rows[0] ?? {});
		if (names.length === 0) return [];
		const values = names.map((name) => `value ->> '$.${name}'`);
		const query = `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`;
		return [db.prepare(query).bind(JSON.stringify(rows))];
	});
	await db.batch(statements);
}
