/** Rows put straight into a test's database. */

/** A row by the names of its columns in SQL. */
export type Row = Readonly<Record<string, string | number | null>>;
/** Runs one statement on a test's database. */
export type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

/** Inserts a row into a table, whatever the application would say to it. */
export async function insertRow(sql: Sql, table: string, row: Row): Promise<void> {
	const names = Object.keys(row);
	const marks = names.map(() => "?");
	const query = `insert into ${table} (${names.join(", ")}) values (${marks.join(", ")})`;
	await sql(query, ...Object.values(row));
}
