/** The archive's only table: complete entries, without references to other tables. */
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Builder, Database } from "../../db/client.server.ts";
import { mileageLogs } from "../../db/schema.ts";

const ALL = Object.values(getTableColumns(mileageLogs));
const nameOf = ({ name }: SQLiteColumn) => toSnakeCase(name);

/** Every column that can be written. */
export const COLUMNS = ALL.filter(({ generated }) => !generated).map(nameOf);

/** A complete entry as text: two entries are equal if these texts are. */
export const ENTRY: SQL = sql.raw(`json_array(${COLUMNS.join(", ")})`);

/** A column's definition, without its references and checks. */
function defined(column: SQLiteColumn): string {
	const type = `${nameOf(column)} ${column.getSQLType()}`;
	if (column.generated) return `${type} generated always as (end_miles - start_miles) stored`;
	return `${type}${column.primary ? " primary key" : ""}${column.notNull ? " not null" : ""}`;
}

/** Creates the table and its indexes, or adds what the table lacks. */
export async function prepareStore(archive: Database): Promise<void> {
	const { build } = archive;
	const columns = ALL.map(defined).join(", ");
	await archive.batch({
		table: build.run(sql.raw(`create table if not exists mileage_logs (${columns}) strict`)),
	});
	await completeStore(archive);
	await archive.batch(indexes(build));
}

/** Adds columns newer than the release that made the table. Without a table, does nothing. */
export async function completeStore(archive: Database): Promise<void> {
	const { build } = archive;
	const { there } = await archive.batch({
		there: build.all<{ name: string }>(sql`select name from pragma_table_xinfo('mileage_logs')`),
	});
	const missing = ALL.filter((column) => !there.some(({ name }) => name === nameOf(column)));
	if (there.length === 0 || missing.length === 0) return;
	const added = missing.map((column) => [
		nameOf(column),
		build.run(sql.raw(`alter table mileage_logs add ${defined(column)}`)),
	]);
	await archive.batch(Object.fromEntries(added));
}

const indexes = (build: Builder) => ({
	byDriver: build.run(sql`create index if not exists mileage_by_driver_day
		on mileage_logs (driver_id, driven_on, end_miles, id)`),
	byDay: build.run(sql`create index if not exists mileage_by_day on mileage_logs (driven_on, id)`),
	flagged: build.run(sql`create index if not exists mileage_flagged
		on mileage_logs (driven_on, end_miles, id) where voided_at is null
			and (gap_miles is not null or is_overlap = 1 or is_out_of_order = 1 or is_long = 1)`),
});

/** The stored entries with these ids. */
export const selectKept = (build: Builder, ids: string) =>
	build.all<{ entry: string }>(sql`select ${ENTRY} as entry from mileage_logs
		where id in (select value from json_each(${ids}))`);
