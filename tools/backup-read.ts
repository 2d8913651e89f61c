/** Verifies a backup, and restores it into an empty place. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { Database } from "../app/db/client.server.ts";
import { recount } from "../app/domain/analytics/recount.server.ts";
import { completeStore } from "../app/domain/archive/store.server.ts";
import { ARCHIVED_ENTRIES, ENTRIES, EXCLUDED_TABLES } from "../app/domain/backups/left-out.ts";
import { refillNames } from "../app/domain/people/names.server.ts";
import {
	BackupError,
	deriveKey,
	type Key,
	keyProof,
	linesOfBackupFile,
	readBackupFile,
	unreadable,
	verifyBackupFile,
} from "./backup-file.ts";
import type { Place } from "./backup-place.ts";
import { type Row, TOTALS, totalsFrom } from "./backup-rows.ts";
import { backupTables, type Table, type Value } from "./backup-tables.ts";
import { hashTotals, MANIFEST, type Manifest } from "./backup-write.ts";
import { migrate, migrationFiles } from "./migrate.ts";

/** Rows per transaction. Each row is a separate statement, so no value is ever SQL text. */
const ROWS_PER_BATCH = 100;

/**
 * The manifest of a complete, undamaged backup.
 * @throws BackupError
 */
export async function verifyBackup(folder: string): Promise<Manifest> {
	const [text, hash] = await Promise.all(
		["manifest.json", "manifest.sha256"].map((name) =>
			readFile(join(folder, name), "utf8").catch((error: unknown) => {
				throw unreadable(error, `${folder} isn't a complete backup: it has no ${name}.`);
			}),
		),
	);
	const damaged = new BackupError("manifest.json is damaged: it isn't what was backed up.");
	if (
		createHash("sha256")
			.update(text ?? "")
			.digest("hex") !== hash?.trim()
	)
		throw damaged;
	const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), MANIFEST), text);
	if (!parsed.success) throw damaged;
	const manifest = parsed.output;
	for (const { file } of [...manifest.tables, ...manifest.receipts])
		await verifyBackupFile(folder, file);
	return manifest;
}

/** A backup's key. @throws BackupError when the passphrase is missing or wrong */
export function keyOf({ encryption }: Manifest, passphrase: string | undefined): Key | undefined {
	if (encryption === null) return undefined;
	if (!passphrase)
		throw new BackupError("This backup is encrypted: set MILEPOST_BACKUP_PASSPHRASE.");
	const key = deriveKey(passphrase, encryption.salt);
	if (keyProof(key) === encryption.proof) return key;
	throw new BackupError(
		"MILEPOST_BACKUP_PASSPHRASE isn't the passphrase this backup was made with.",
	);
}

/**
 * Restores a verified backup. Rows are inserted with the triggers removed; these are back before
 * the totals are recalculated and compared.
 * @param onBegin called before the first change: from then on the place must be replaced if the
 * restore fails
 * @throws BackupError
 */
export async function restoreBackup(
	{ db, archive, receipts: store }: Place,
	folder: string,
	manifest: Manifest,
	key: Key | undefined,
	onBegin: () => void = () => undefined,
): Promise<{ drivers: number }> {
	expectKnown(manifest);
	await expectEmpty(db);
	await expectNoLater(db, manifest);
	onBegin();
	await migrate(db, manifest.migrations);
	const tables = await backupTables(db);
	const triggers = await dropTriggers(db);
	for (const table of tables) await fillTable(db, table, folder, manifest, key);
	for (const { sql } of triggers)
		await db.prepare(sql.replace(/^create trigger/i, "create trigger if not exists")).run();
	// A release with more migrations than the backup.
	await migrate(db);
	if (archive) await completeStore(new Database(archive));
	// Nobody knows whether these were sent before the backup's moment or after it.
	await db
		.prepare(
			`update mails set status = 'failed', may_have_been_sent = 1, last_error = 'Restored from a backup: it may have been sent.'
			where status in ('queued', 'sending')`,
		)
		.run();
	const database = new Database(db);
	await refillNames(database);
	const drivers = await recount(database);
	await compare(db, manifest);
	for (const { key: name, mediaType, file } of manifest.receipts) {
		const chunks: Uint8Array[] = [];
		for await (const chunk of readBackupFile(folder, file, key)) chunks.push(chunk);
		await store.put(name, new Uint8Array(Buffer.concat(chunks)), mediaType);
	}
	return { drivers };
}

function expectKnown({ migrations }: Manifest): void {
	const known = migrationFiles().map(({ name }) => name);
	const unknown = migrations.find((name) => !known.includes(name));
	if (unknown)
		throw new BackupError(
			`The backup is from a later release: this one doesn't know ${unknown}. Restore with that release.`,
		);
}

/** The database may have fewer migrations than the backup, or none. */
async function expectEmpty(db: D1Database): Promise<void> {
	const { results } = await db
		.prepare(
			"select name from sqlite_master where type = 'table' and name in ('users', 'audit_events', 'mails')",
		)
		.all<{ name: string }>();
	for (const { name } of results) {
		const found = await db.prepare(`select 1 from ${name} limit 1`).all();
		if (found.results.length > 0)
			throw new BackupError("The database already has rows. Restore into an empty one.");
	}
}

/** A migration that the backup doesn't have may change rows, so it has to come after them. */
async function expectNoLater(db: D1Database, { migrations }: Manifest): Promise<void> {
	const { results: tables } = await db
		.prepare("select 1 from sqlite_master where name = 'd1_migrations'")
		.all();
	if (tables.length === 0) return;
	const { results } = await db
		.prepare("select name from d1_migrations order by id")
		.all<{ name: string }>();
	const later = results.find(({ name }) => !migrations.includes(name));
	if (later)
		throw new BackupError(
			`The database has ${later.name} already, which has to run on the backup's rows. Delete the database, create it again and restore into the new one.`,
		);
}

async function dropTriggers(db: D1Database): Promise<readonly { name: string; sql: string }[]> {
	const { results } = await db
		.prepare("select name, sql from sqlite_master where type = 'trigger' order by name")
		.all<{ name: string; sql: string }>();
	// Each statement is repeatable: a remote database's answer may get lost on the way.
	for (const { name } of results) await db.prepare(`drop trigger if exists "${name}"`).run();
	return results;
}

async function fillTable(
	db: D1Database,
	table: Table,
	folder: string,
	manifest: Manifest,
	key: Key | undefined,
): Promise<void> {
	const saved = manifest.tables.find(({ name }) => name === table.name);
	// A table from a later release.
	if (!saved) return;
	const columns = saved.columns;
	const sql = `insert into "${table.name}" (${columns.map((name) => `"${name}"`).join(", ")})
		values (${columns.map(() => "?").join(", ")}) on conflict do nothing`;
	const write = async (rows: readonly Row[]) => {
		for (let at = 0; at < rows.length; at += ROWS_PER_BATCH)
			await db.batch(
				rows.slice(at, at + ROWS_PER_BATCH).map((row) => db.prepare(sql).bind(...row)),
			);
	};
	const idAt = columns.indexOf("id");
	const selfAt = table.selfColumns.map((name) => columns.indexOf(name));
	const written = new Set<unknown>();
	let waiting: Row[] = [];
	let batch: Row[] = [];
	let count = 0;
	const isReady = (row: Row) =>
		selfAt.every((at) => row[at] === null || row[at] === undefined || written.has(row[at]));
	const archived = archivedOf(table, manifest);
	const known = new Set<unknown>();
	for await (const line of linesOfFiles(folder, [saved, ...archived], key)) {
		const row = JSON.parse(line) as Row;
		count += 1;
		if (archived.length > 0) {
			// A trip that was being archived is in both.
			if (known.has(row[idAt])) continue;
			known.add(row[idAt]);
		}
		// An earlier person can be approved by a later one.
		if (!isReady(row)) {
			waiting.push(row);
			continue;
		}
		if (selfAt.length > 0) written.add(row[idAt]);
		batch.push(row);
		if (batch.length === ROWS_PER_BATCH) {
			await write(batch);
			batch = [];
		}
	}
	await write(batch);
	while (waiting.some(isReady)) {
		const ready = waiting.filter(isReady);
		waiting = waiting.filter((row) => !ready.includes(row));
		for (const row of ready) written.add(row[idAt]);
		await write(ready);
	}
	// Rows that refer to each other are inserted together.
	if (waiting.length > 0)
		await db.batch([
			db.prepare("pragma defer_foreign_keys = on"),
			...waiting.map((row) => db.prepare(sql).bind(...row)),
		]);
	const expected = rowsOf([saved, ...archived]);
	if (count !== expected)
		throw new BackupError(`${table.name} has ${count} rows, but ${expected} were backed up.`);
}

type Saved = Manifest["tables"][number];
const rowsOf = (files: readonly Saved[]) => files.reduce((sum, { rows }) => sum + rows, 0);

/** Restored into a table that already has rows: archived trips become ordinary trips again. */
const archivedOf = ({ name }: Pick<Table, "name">, { tables }: Manifest): Saved[] =>
	name === ENTRIES ? tables.filter((each) => each.name === ARCHIVED_ENTRIES) : [];

async function* linesOfFiles(folder: string, files: readonly Saved[], key: Key | undefined) {
	for (const { file } of files) yield* linesOfBackupFile(folder, file, key);
}

/** Compares what was restored with what was backed up. */
async function compare(db: D1Database, manifest: Manifest): Promise<void> {
	for (const { name, rows } of manifest.tables) {
		// Earlier exports may have one that isn't restored.
		if (name in EXCLUDED_TABLES) continue;
		// Counted as they were written; a trip in both databases counts once.
		if (name === ARCHIVED_ENTRIES || archivedOf({ name }, manifest).length > 0) continue;
		const { results } = await db
			.prepare(`select count(*) as n from "${name}"`)
			.all<{ n: number }>();
		if (results[0]?.n !== rows)
			throw new BackupError(`${name} has ${results[0]?.n} rows, but ${rows} were backed up.`);
	}
	const [keys, totals] = (await db.batch([
		db.prepare("pragma foreign_key_check"),
		db.prepare(TOTALS),
	])) as { results: Record<string, Value>[] }[];
	if (keys?.results.length) throw new BackupError("Some rows refer to rows that don't exist.");
	const { columns, sha256 } = manifest.totals;
	if (hashTotals(totalsFrom(totals?.results ?? [], columns)) !== sha256)
		throw new BackupError("The totals of the restored rows differ from the backup's.");
}
