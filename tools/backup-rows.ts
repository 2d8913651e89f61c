/**
 * Reads every row of a fleet that stays in use. What was written meanwhile is read again in one
 * transaction at the end, so that the backup is the fleet at that moment.
 */
import { LONGEST_BLOCK } from "../app/db/longest-block.ts";
import { ALL_TIME_COLUMNS } from "../app/domain/analytics/recount.server.ts";
import { CHANGED_ALONG, STARTS_AGAIN } from "../app/domain/backups/left-out.ts";
import { BackupError } from "./backup-file.ts";
import type { Table, Value } from "./backup-tables.ts";

/** Rows per page; a page must fit into one D1 response. */
const PAGE_ROWS = 2000;

export type Row = readonly Value[];
/** Rows in the order they were inserted, by their row number. */
type Numbered = readonly [number: number, row: Row];

/**
 * How a table has changed by the end: rows that replace, follow or are gone from what was read
 * before.
 */
export type Changes = {
	readonly changed: ReadonlyMap<number, Row>;
	readonly gone: ReadonlySet<number>;
};

/** Every driver's all-time totals, except those without any. */
export type Totals = { readonly columns: readonly string[]; readonly rows: readonly Row[] };

/** The fleet at one moment, with the sums that a restore is checked against. */
export type Moment = {
	/** Every change until then is in it; later ones may be. */
	readonly at: number;
	readonly changes: ReadonlyMap<string, Changes>;
	readonly totals: Totals;
};

const quoteName = (name: string) => `"${name}"`;
/**
 * SQLite names the row number after an integer key unless it gets an alias. A column of that name
 * would replace it in the results (tests/schema.test.ts).
 */
const selectedColumns = (table: Table) =>
	["rowid as row_of_backup", ...table.columns.map(quoteName)].join(", ");

/** A statement's results, each row as its columns in order. */
const withRowNumbers = (table: Table, results: readonly Record<string, Value>[]): Numbered[] =>
	results.map((row) => [Number(row.row_of_backup), table.columns.map((name) => row[name] ?? null)]);

/** Every row of a table, page by page. */
export async function* readTable(
	db: D1Database,
	table: Table,
): AsyncGenerator<readonly Numbered[]> {
	for (let after = -1; ; ) {
		const { results } = await db
			.prepare(
				`select ${selectedColumns(table)} from ${quoteName(table.name)} where rowid > ? order by rowid limit ${PAGE_ROWS}`,
			)
			.bind(after)
			.all<Record<string, Value>>();
		if (results.length === 0) return;
		const rows = withRowNumbers(table, results);
		yield rows;
		after = rows.at(-1)?.[0] ?? after;
	}
}

/** The newest audit entry: later ones were written while the backup ran. */
export async function auditPosition(db: D1Database): Promise<number> {
	const { results } = await db
		.prepare("select coalesce(max(id), 0) as id from audit_events")
		.all<{ id: number }>();
	return results[0]?.id ?? 0;
}

export const TOTALS = `select ${ALL_TIME_COLUMNS} from block_totals where days = ${LONGEST_BLOCK}
	group by driver_id order by driver_id`;

/**
 * Totals in the form in which they are compared.
 * @param columns of the backup; a later release may have more
 */
export function totalsFrom(
	results: readonly Record<string, Value>[],
	columns: readonly string[] = Object.keys(results[0] ?? {}),
): Totals {
	const rows = results
		.map((row) => columns.map((name) => row[name] ?? null))
		.filter((row) => row.some((value, at) => columns[at] !== "driver_id" && value !== 0));
	return { columns, rows };
}

/** Something changed rows that no audit entry names, so nothing read so far can be used. */
export class ReadAgain extends BackupError {
	constructor() {
		super(
			"Each time, an import was undone, someone was erased or the time zone changed while it was read. Run this again.",
		);
	}
}

/**
 * Reads again what changed while the tables were read.
 * @param since the audit's position before the first page was read
 * @param ends each table's last row number that was read, and how many were read
 * @throws ReadAgain
 */
export async function readChanges(
	db: D1Database,
	tables: readonly Table[],
	since: number,
	ends: ReadonlyMap<string, { readonly last: number; readonly count: number }>,
	now: () => number,
): Promise<Moment> {
	const ids = new Set<string>();
	for (let position = since; ; ) {
		position = await collectIds(db, position, ids);
		await addChangedAlong(db, ids);
		const touched = JSON.stringify([...ids]);
		const at = now();
		const answers = (await db.batch([
			db.prepare("select coalesce(max(id), 0) as id from audit_events"),
			db.prepare(TOTALS),
			...tables.flatMap((table) => [
				db.prepare(`select count(*) as n from ${quoteName(table.name)}`),
				db
					.prepare(
						`select ${selectedColumns(table)} from ${quoteName(table.name)} where rowid > ?1
						${table.idColumns.map((name) => `or ${quoteName(name)} in (select value from json_each(?2))`).join(" ")}
						order by rowid`,
					)
					.bind(ends.get(table.name)?.last ?? -1, touched),
			]),
		])) as { results: Record<string, Value>[] }[];
		const [newest, totals, ...rest] = answers;
		// There are newer changes by now, which are read as well.
		if (Number(newest?.results[0]?.id) !== position) continue;
		const changes = new Map<string, Changes>();
		for (const [index, table] of tables.entries()) {
			const end = ends.get(table.name) ?? { last: -1, count: 0 };
			const rows = withRowNumbers(table, rest[index * 2 + 1]?.results ?? []);
			const count = Number(rest[index * 2]?.results[0]?.n);
			const added = rows.filter(([number]) => number > end.last).length;
			const gone =
				count === end.count + added ? new Set<number>() : await findGone(db, table, end.last);
			changes.set(table.name, { changed: new Map(rows), gone });
		}
		return { at, changes, totals: totalsFrom(totals?.results ?? []) };
	}
}

/** Adds the ids in audit entries after a position. */
async function collectIds(db: D1Database, after: number, ids: Set<string>): Promise<number> {
	const { results } = await db
		.prepare("select id, action, entity_id, actor_id from audit_events where id > ? order by id")
		.bind(after)
		.all<{ id: number; action: string; entity_id: string; actor_id: string | null }>();
	for (const { action, entity_id, actor_id } of results) {
		if (STARTS_AGAIN.has(action)) throw new ReadAgain();
		ids.add(entity_id);
		if (actor_id) ids.add(actor_id);
	}
	return results.at(-1)?.id ?? after;
}

/** Adds the ids of the rows that were changed along with the named ones. */
async function addChangedAlong(db: D1Database, ids: Set<string>): Promise<void> {
	const named = JSON.stringify([...ids]);
	const answers = (await db.batch(
		CHANGED_ALONG.map(({ table, named: by, touched }) =>
			db
				.prepare(
					`select distinct ${touched} as id from ${table} where ${by} in (select value from json_each(?1))`,
				)
				.bind(named),
		),
	)) as { results: { id: string }[] }[];
	for (const { results } of answers) for (const { id } of results) ids.add(id);
}

/** The row numbers, up to the last one read, that a table no longer has. */
async function findGone(db: D1Database, table: Table, last: number): Promise<Set<number>> {
	const gone = new Set<number>();
	let expected = 0;
	for (let after = -1; ; ) {
		const { results } = await db
			.prepare(
				`select rowid as number from ${quoteName(table.name)} where rowid > ? and rowid <= ? order by rowid limit 20000`,
			)
			.bind(after, last)
			.all<{ number: number }>();
		for (const { number } of results) {
			for (; expected < number; expected++) gone.add(expected);
			expected = number + 1;
		}
		const next = results.at(-1)?.number;
		if (next === undefined) break;
		after = next;
	}
	for (; expected <= last; expected++) gone.add(expected);
	return gone;
}
