/** A copy of a D1 database's schema and rows, which can be restored into an empty one. */

type Statement = { readonly sql: string; readonly params: readonly string[] };
export type DatabaseCopy = readonly Statement[];

const OBJECTS = `select type, name, sql from sqlite_master
	where sql is not null and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'
	order by rowid`;
const quoted = (name: string) => `"${name}"`;

/** Copies a database. */
export async function copyOf(db: D1Database): Promise<DatabaseCopy> {
	type SchemaObject = { type: string; name: string; sql: string };
	const { results: made } = await db.prepare(OBJECTS).all<SchemaObject>();
	const of = (type: string) =>
		made.filter((each) => each.type === type).map(({ sql }) => ({ sql, params: [] }));
	const rows: Statement[] = [];
	for (const { name } of made.filter(({ type }) => type === "table")) {
		// This leaves out generated columns, which can't be inserted.
		const columns = (
			await db.prepare(`select name from pragma_table_info(?)`).bind(name).all<{ name: string }>()
		).results.map((column) => column.name);
		const { results } = await db.prepare(`select * from ${quoted(name)}`).all();
		if (results.length === 0) continue;
		const values = columns.map(
			(column) => `value ->> ${JSON.stringify(column).replace(/"/g, "'")}`,
		);
		rows.push({
			sql: `insert into ${quoted(name)} (${columns.map(quoted).join(", ")}) select ${values.join(", ")} from json_each(?)`,
			params: [JSON.stringify(results)],
		});
	}
	return [
		{ sql: "pragma defer_foreign_keys = on", params: [] },
		...[...of("table"), ...rows, ...of("index"), ...of("view"), ...of("trigger")],
	];
}

/** Restores a copy into an empty database. */
export async function putCopy(db: D1Database, copy: DatabaseCopy): Promise<void> {
	await db.batch(copy.map(({ sql, params }) => db.prepare(sql).bind(...params)));
}
