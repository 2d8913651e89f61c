/** Writes seed rows to a D1 database, and the demo fleet's receipts to a bucket. */
import type { Seed } from "../tests/support/cast.ts";
import { demoFleet } from "./demo-fleet.ts";

type D1 = {
	prepare(query: string): { bind(...values: unknown[]): unknown };
	batch(statements: unknown[]): Promise<unknown>;
};

/**
 * Inserts all rows or none: an interrupted seed would leave a fleet that is never seeded again.
 * Each table is one statement that reads its rows from JSON; all rows have the same columns.
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

/**
 * Stores the demo fleet: its receipts' files, then its rows.
 * @param zone the fleet's time zone
 */
export async function seedDemo(
	database: unknown,
	receipts: Pick<R2Bucket, "put">,
	now: number,
	zone?: string,
): Promise<void> {
	const { rows, files } = demoFleet(now, zone);
	for (const { key, bytes, mediaType } of files)
		await receipts.put(key, bytes, { httpMetadata: { contentType: mediaType } });
	await insertSeed(database, rows);
}
