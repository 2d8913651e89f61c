/** Whether backups and nightly exports find every stored row that a change touches. */
import { expect } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { touchedBy } from "../../app/domain/backups/closing.server.ts";
import { STARTS_AGAIN } from "../../app/domain/backups/left-out.ts";
import type { Part } from "../../app/domain/backups/manifest.ts";
import { exportedTables, selectAudited } from "../../app/domain/backups/rows.server.ts";
import { auditPosition, readChanges } from "../../tools/backup-rows.ts";
import { backupTables } from "../../tools/backup-tables.ts";
import type { TestDatabase } from "./database.ts";

type Act = <Result>(change: () => Promise<Result>) => Promise<Result>;

/**
 * For the tests of one file.
 * @returns makes a change, and expects that both find each row it has changed, or start again
 */
export async function openFinder({ d1 }: TestDatabase): Promise<Act> {
	const db = new Database(d1);
	const [tables, exported] = [await backupTables(d1), await exportedTables(db)];
	/** Each table's rows by their number. */
	const content = async () => {
		const queries = tables.map(({ name }) =>
			d1.prepare(`select rowid as row_of_backup, * from "${name}" order by rowid`),
		);
		const answers = await d1.batch<{ row_of_backup: number }>(queries);
		return tables.map(
			(_, at) =>
				new Map(
					answers[at]?.results.map((row) => [row.row_of_backup, JSON.stringify(row)] as const),
				),
		);
	};
	return async (change) => {
		const [since, before] = [await auditPosition(d1), await content()];
		const result = await change();
		const after = await content();
		const { entries } = await db.batch({ entries: selectAudited(db.build, since, 5000) });
		if (entries.some(({ action }) => STARTS_AGAIN.has(action))) return result;
		const ends = new Map<string, { last: number; count: number }>();
		const parts = new Map<string, Part[]>();
		for (const [at, { name }] of tables.entries()) {
			const numbers = [...(before[at]?.keys() ?? [])];
			ends.set(name, { last: numbers.at(-1) ?? -1, count: numbers.length });
			parts.set(
				name,
				numbers.map((last) => ({ path: "", rows: 1, bytes: 0, sha256: "", after: last - 1, last })),
			);
		}
		const { changes } = await readChanges(d1, tables, since, ends, () => 0);
		const touched = new Set(
			(await touchedBy(db, exported, parts, entries)).map(
				({ table, range }) => `${table.name} ${range.last}`,
			),
		);
		const missed = tables.flatMap(({ name }, at) =>
			[...(after[at] ?? [])]
				.filter(([number, row]) => (before[at]?.get(number) ?? row) !== row)
				.flatMap(([number, row]) => [
					...(changes.get(name)?.changed.has(number) ? [] : [`backup: ${name} ${row}`]),
					...(touched.has(`${name} ${number}`) ? [] : [`export: ${name} ${row}`]),
				]),
		);
		expect(missed, entries.map(({ action }) => action).join()).toEqual([]);
		return result;
	};
}
