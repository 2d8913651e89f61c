/** Reads the rows for an export, by their row numbers. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { LONGEST_BLOCK } from "../../db/longest-block.ts";
import { ALL_TIME_COLUMNS } from "../analytics/recount.server.ts";
import { selectClosedUntil } from "../archive/closed-years.server.ts";
import { affectedBy } from "../mileage/flags.server.ts";
import {
	ARCHIVED_ENTRIES,
	CHANGED_ALONG,
	ENTRIES,
	EXCLUDED_TABLES,
	NAMED_ONLY,
	REFERENCES,
} from "./left-out.ts";

/** A table according to the database. */
export type Table = {
	readonly name: string;
	/** The columns that can be written. */
	readonly columns: readonly string[];
	/** They identify a row that a change touched. */
	readonly idColumns: readonly string[];
};

type Column = { tableName: string; name: string; isWritable: number; isId: number };

/** Every table that isn't left out, so that one added by a later release is exported as well. */
export async function exportedTables(db: Database): Promise<Table[]> {
	const { columns } = await db.batch({
		columns: db.build.all<Column>(sql`
			select tables.name as tableName, columns.name as name, columns.hidden = 0 as isWritable,
				columns.pk > 0 or columns.name in (select value from json_each(${JSON.stringify([...REFERENCES])}))
					or columns.name in (select "from" from pragma_foreign_key_list(tables.name)) as isId
			from sqlite_master as tables join pragma_table_xinfo(tables.name) as columns
			where tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
				and tables.name not like '\\_cf\\_%' escape '\\' and tables.name not like 'd1\\_%' escape '\\'
			order by tables.name, columns.cid`),
	});
	const names = [...new Set(columns.map(({ tableName }) => tableName))];
	return names
		.filter((name) => !(name in EXCLUDED_TABLES))
		.map((name) => {
			const own = columns.filter(({ tableName }) => tableName === name);
			return {
				name,
				columns: own.filter(({ isWritable }) => isWritable).map((each) => each.name),
				idColumns: own.filter(({ isId }) => isId).map((each) => each.name),
			};
		});
}

/** The archive's table under its own name, once a year is closed. */
export async function archivedTables(db: Database, tables: readonly Table[]): Promise<Table[]> {
	const { closed } = await db.batch({ closed: selectClosedUntil(db.build) });
	if (!closed[0]?.closedTo) return [];
	return tables
		.filter(({ name }) => name === ENTRIES)
		.map((table) => ({ ...table, name: ARCHIVED_ENTRIES }));
}

type Row = Readonly<Record<string, unknown>> & { readonly row_of_backup: number };
export type Range = { readonly after: number; readonly last: number };

/** The row numbers and rows of a range. */
export function selectRange(build: Builder, table: Table, { after, last }: Range, limit: SQL) {
	const columns = table.columns.map((name) => sql`, ${sql.identifier(name)}`);
	return build.all<Row>(sql`select rowid as row_of_backup ${sql.join(columns)}
		from ${sql.identifier(table.name)} where rowid > ${after} and rowid <= ${last} order by rowid ${limit}`);
}

/** The rows as lines, with their values in the order of the table's columns. */
export const linesOf = (table: Table, rows: readonly Row[]): string =>
	rows.map((row) => `${JSON.stringify(table.columns.map((name) => row[name] ?? null))}\n`).join("");

/** What changes touched: the ids of things, and of the drivers who changed something. */
export type Touched = { readonly things: readonly string[]; readonly drivers: readonly string[] };

/** The row numbers of a table's rows that were touched, up to one of them. */
export function selectTouched(build: Builder, table: Table, touched: Touched, last: number) {
	const { things, drivers } = touched;
	const ids = JSON.stringify(NAMED_ONLY.has(table.name) ? things : [...things, ...drivers]);
	const hasOne = table.idColumns.map(
		(name) => sql`${sql.identifier(name)} in (select value from json_each(${ids}))`,
	);
	return build.all<{ number: number }>(sql`select rowid as number from ${sql.identifier(table.name)}
		where rowid <= ${last} and (${hasOne.length > 0 ? sql.join(hasOne, sql` or `) : sql`0`})`);
}

/** `isDriver` is 1 for the driver of a changed trip. */
export type ChangedAlong = { readonly id: string; readonly isDriver: number };

/**
 * The rows that were changed along with the named ones, one statement for each kind; the last has the
 * trips whose flags follow from theirs.
 */
export const selectChangedAlong = (build: Builder, ids: string) => {
	const isNamed = (column: string) =>
		sql`${sql.identifier(column)} in (select value from json_each(${ids}))`;
	return [
		...CHANGED_ALONG.map(({ table, named, touched }) =>
			build.all<ChangedAlong>(sql`select distinct ${sql.identifier(touched)} as id,
					${table === ENTRIES ? 1 : 0} as isDriver
				from ${sql.identifier(table)} where ${isNamed(named)}`),
		),
		build.all<ChangedAlong>(sql`with trips(id) as (${affectedBy(isNamed("id"))})
			select id, 0 as isDriver from trips where id is not null`),
	];
};

export const countRows = (build: Builder, table: Table) =>
	build.all<{ n: number }>(sql`select count(*) as n from ${sql.identifier(table.name)}`);

export type Audited = {
	readonly id: number;
	readonly action: string;
	readonly entityId: string;
	readonly actorId: string | null;
	/** 1 if a driver did it. */
	readonly isDriver: number;
};

/** What the audit names after a position, for a bounded number of entries. */
export function selectAudited(build: Builder, after: number, limit: number) {
	return build.all<Audited>(
		sql`select id, action, entity_id as entityId, actor_id as actorId, actor_role = 'driver' as isDriver
			from audit_events where id > ${after} order by id limit ${limit}`,
	);
}
export const auditEnd = (build: Builder) =>
	build.all<{ id: number }>(sql`select coalesce(max(id), 0) as id from audit_events`);

/** Everyone's and the fleet's, by person, because the totals' key begins with one. */
export const allTimeTotals = (build: Builder) =>
	build.all<Record<string, unknown>>(sql`select ${sql.raw(ALL_TIME_COLUMNS)}
		from (select '' as id union all select id from users) as people
			cross join block_totals on block_totals.driver_id = people.id and days = ${LONGEST_BLOCK}
		group by driver_id order by driver_id`);

export const appliedMigrations = (build: Builder) =>
	build.all<{ name: string }>(sql`select name from d1_migrations order by id`);

export type ReceiptFile = {
	key: string;
	sha256: string;
	mediaType: string;
	createdAt: number;
	id: string;
};
/** Receipts in the order they were received, after a moment and id. */
export function selectReceiptFiles(build: Builder, from: number, after: string, limit: number) {
	return build.all<ReceiptFile>(sql`
		select object_key as key, sha256, media_type as mediaType, created_at as createdAt, id from receipts
		where (created_at, id) > (${from}, ${after}) order by created_at, id limit ${limit}`);
}

/** The receipts with these object keys. */
export const selectReceiptsByKey = (build: Builder, keys: readonly string[]) =>
	build.all<ReceiptFile>(sql`
		select object_key as key, sha256, media_type as mediaType, created_at as createdAt, id from receipts
		where object_key in (select value from json_each(${JSON.stringify(keys)}))`);
