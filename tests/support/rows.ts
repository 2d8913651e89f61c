/** Rows inserted directly into a test's database. */

/** A row by SQL column name. */
export type Row = Readonly<Record<string, string | number | null>>;
/** Runs one statement on a test's database. */
export type Sql = (query: string, ...values: unknown[]) => Promise<unknown>;

/** Inserts a row into a table, even one that the application would refuse. */
export async function insertRow(sql: Sql, table: string, row: Row): Promise<void> {
	const names = Object.keys(row);
	const marks = names.map(() => "?");
	const query = `insert into ${table} (${names.join(", ")}) values (${marks.join(", ")})`;
	await sql(query, ...Object.values(row));
}

/** Inserts a driver's trips on one day, each starting where the previous one ended. */
export async function insertTrips(
	sql: Sql,
	driverId: string,
	date: string,
	count: number,
): Promise<void> {
	await sql(
		`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
		select printf('90000000-0000-4000-8000-%012x', i), ?, ?, 200000 + i * 10, 200010 + i * 10, 'form', 1, 'x' from n`,
		count,
		driverId,
		date,
	);
}
