/**
 * Applies the migrations to a D1 database, in the table wrangler uses, so that either may go on
 * where the other left off.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type D1 = {
	prepare(query: string): D1Statement;
	batch(statements: D1Statement[]): Promise<unknown>;
};
type D1Statement = {
	bind(...values: unknown[]): D1Statement;
	all<Row>(): Promise<{ results: Row[] }>;
	run(): Promise<unknown>;
};

/** The migration files, oldest first, each split into its statements. */
export function migrationFiles(): { name: string; statements: string[] }[] {
	return readdirSync("migrations")
		.filter((name) => name.endsWith(".sql"))
		.sort()
		.map((name) => ({
			name,
			statements: readFileSync(join("migrations", name), "utf8")
				.split("--> statement-breakpoint")
				.map((statement) => statement.trim())
				.filter(Boolean),
		}));
}

/**
 * Applies what has not been applied yet; every file whole or not at all.
 * @param only the names of the files to apply; all of them when absent
 * @returns the names of the files applied now
 */
export async function migrate(database: unknown, only?: readonly string[]): Promise<string[]> {
	const db = database as D1;
	await db
		.prepare(
			"CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)",
		)
		.run();
	const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
	const applied = new Set(results.map(({ name }) => name));
	const fresh = migrationFiles().filter(
		({ name }) => !applied.has(name) && (only === undefined || only.includes(name)),
	);
	for (const { name, statements } of fresh) {
		await db.batch([
			...statements.map((statement) => db.prepare(statement)),
			db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
		]);
	}
	return fresh.map(({ name }) => name);
}
