/**
 * Applies the migrations to a D1 database and records them in wrangler's table, so that either tool
 * can continue where the other left off.
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

/** The migration files, oldest first, split into their statements. */
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
 * Applies what hasn't been applied yet, each file completely or not at all.
 * @param only names of the files to apply; all if absent
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
