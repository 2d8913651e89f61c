/** Writes seed rows into a D1 database, in batches that stay far from its limits. */
import type { Seed } from "../tests/cast.ts";

type D1 = { prepare(query: string): { bind(...values: unknown[]): unknown }; batch(statements: unknown[]): Promise<unknown> };

export async function insertSeed(database: unknown, seed: Seed): Promise<void> {
	const db = database as D1;
	for (const [table, rows] of seed) {
		for (let start = 0; start < rows.length; start += 100) {
			const statements = rows.slice(start, start + 100).map((row) => {
				const names = Object.keys(row);
				return db
					.prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
					.bind(...Object.values(row));
			});
			if (statements.length > 0) await db.batch(statements);
		}
	}
}
