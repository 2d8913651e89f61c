/** A database's tables and rows, to fill an empty one with them, or to go back to them. */
import { migrate } from "../../tools/migrate.ts";

type Item = {
	readonly type: string;
	readonly name: string;
	readonly tbl_name: string;
	readonly sql: string;
};
type Filling = { readonly table: string; readonly insert: string; readonly rows: string };
export type Snapshot = { readonly schema: readonly Item[]; readonly filled: readonly Filling[] };

/** The tables whose rows no code changes. */
const FIXED = ["d1_migrations", "letters"];

const ofType = ({ schema }: Snapshot, ...types: readonly string[]) =>
	schema.filter(({ type }) => types.includes(type));
const fill = (db: D1Database, filled: readonly Filling[]) =>
	filled.map(({ insert, rows }) => db.prepare(insert).bind(rows));
const create = (db: D1Database, items: readonly Item[]) => items.map(({ sql }) => db.prepare(sql));

export async function takeSnapshot(db: D1Database): Promise<Snapshot> {
	const { results: schema } = await db
		.prepare(
			"select type, name, tbl_name, sql from sqlite_master where sql is not null and name not glob 'sqlite_*' and name not glob '_cf_*' order by rowid",
		)
		.all<Item>();
	const tables = schema.filter(({ type }) => type === "table");
	const columns = await db.batch<{ name: string }>(
		tables.map(({ name }) =>
			db.prepare("select name from pragma_table_xinfo(?) where hidden = 0").bind(name),
		),
	);
	const names = columns.map(({ results }) => results.map(({ name }) => name));
	const rows = await db.batch(
		tables.map(({ name }, each) => db.prepare(`select ${names[each]?.join(", ")} from ${name}`)),
	);
	const filled = tables.flatMap(({ name }, each) => {
		const [found, into = []] = [rows[each]?.results ?? [], names[each]];
		const values = into.map((column) => `value ->> '$.${column}'`);
		const insert = `insert into ${name} (${into.join(", ")}) select ${values.join(", ")} from json_each(?)`;
		return found.length > 0 ? [{ table: name, insert, rows: JSON.stringify(found) }] : [];
	});
	return { schema, filled };
}

/** Makes the tables in a database without any. */
async function copyInto(db: D1Database, snapshot: Snapshot): Promise<void> {
	await db.batch([
		...create(db, ofType(snapshot, "table")),
		...fill(db, snapshot.filled),
		...create(db, ofType(snapshot, "index", "view", "trigger")),
	]);
}

/** Where a statement writes to a table. */
const WRITES = /\b(?:into|update|delete\s+from)\s+(?:or\s+\w+\s+)?["`]?(\w+)/gi;
const CHANGES_SCHEMA = /\b(?:alter|create|drop)\s+(?:unique|table|index|view|trigger)\b/i;
const writtenBy = (sql: string) => [...sql.matchAll(WRITES)].map(([, name = ""]) => name);

/**
 * Puts rows back as they were.
 * @param statements only in the tables that these may have changed
 */
export async function goBackTo(
	db: D1Database,
	snapshot: Snapshot,
	statements?: Iterable<string>,
): Promise<void> {
	const all = [...(statements ?? [])];
	const written = new Set(all.flatMap(writtenBy));
	if (!statements || all.some((sql) => CHANGES_SCHEMA.test(sql)))
		for (const { name } of ofType(snapshot, "table")) written.add(name);
	const triggersOf = (table: string) =>
		ofType(snapshot, "trigger").filter(({ tbl_name }) => tbl_name === table);
	for (const table of written)
		for (const { sql } of triggersOf(table)) for (const name of writtenBy(sql)) written.add(name);
	const tables = ofType(snapshot, "table")
		.map(({ name }) => name)
		.filter((name) => written.has(name) && !FIXED.includes(name));
	const triggers = tables.flatMap(triggersOf);
	await db.batch([
		db.prepare("pragma defer_foreign_keys = on"),
		...triggers.map(({ name }) => db.prepare(`drop trigger if exists ${name}`)),
		// Referring tables first, or SQLite searches for the rows that refer to each.
		...tables.toReversed().map((name) => db.prepare(`delete from ${name}`)),
		...fill(
			db,
			snapshot.filled.filter(({ table }) => tables.includes(table)),
		),
		...create(db, triggers),
	]);
}

let migrated: Snapshot | undefined;

/** Migrates an empty database; after the first, by copying that one. */
export async function migrateQuickly(db: D1Database): Promise<void> {
	if (migrated) return copyInto(db, migrated);
	await migrate(db);
	migrated = await takeSnapshot(db);
}
