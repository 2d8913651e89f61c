/** Writes seed rows into a D1 database. */
import type { Seed } from "../tests/cast.ts";

type D1 = {
	prepare(query: string): { bind(...values: unknown[]): unknown };
	batch(statements: unknown[]): Promise<unknown>;
};

/** Inserts all rows or none: a seed that is cut short would leave a fleet that is never seeded again. */
export async function insertSeed(database: unknown, seed: Seed): Promise<void> {
	const db = database as D1;
	const statements = seed.flatMap(([table, rows]) =>
		rows.map((row) => {
			const names = Object.keys(row);
			return db
				.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
				.bind(...Object.values(row));
		}),
	);
	await db.batch(statements);
}
