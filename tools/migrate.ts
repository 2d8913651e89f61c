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

/**
 * A statement without comments and on one line. D1's API splits its input at semicolons, and
 * mistakes an apostrophe or a semicolon in a comment, or a trigger over several lines, for the end
 * or the beginning of something else.
 */
export const bareStatement = (sql: string): string =>
	sql
		.replace(
			/('(?:[^']|'')*'|"[^"]*"|`[^`]*`)|(?:--[^\n]*|\s+)+/g,
			(_, quoted?: string) => quoted ?? " ",
		)
		.trim()
		.replace(/\s*;$/, "");

/** The migration files, oldest first, split into their statements as they are sent. */
export function migrationFiles(): { name: string; statements: string[] }[] {
	return readdirSync("migrations")
		.filter((name) => name.endsWith(".sql"))
		.sort()
		.map((name) => ({
			name,
			statements: readFileSync(join("migrations", name), "utf8")
				.split("--> statement-breakpoint")
				.map(bareStatement)
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

/**
 * Applies what hasn't been applied yet to a deployed database.
 * @returns why it stopped, without a final period; empty if it didn't
 */
export async function whyNotMigrated(db: D1Database): Promise<string> {
	for (let before = -1; ; ) {
		try {
			await migrate(db);
			return "";
		} catch (error) {
			// A file refused as applied before may be one whose connection broke.
			const { results } = await db.prepare("SELECT name FROM d1_migrations").all();
			const reason = error instanceof Error ? error.message : String(error);
			if (results.length === before) return reason.replace(/\.$/, "");
			before = results.length;
		}
	}
}
