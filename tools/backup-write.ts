/** Writes a backup. */
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { ARCHIVED_ENTRIES, ENTRIES } from "../app/domain/backups/left-out.ts";
import {
	BackupError,
	type Key,
	keyProof,
	linesOfBackupFile,
	type StoredFile,
	writeBackupFile,
} from "./backup-file.ts";
import type { Place, ReceiptStore } from "./backup-place.ts";
import {
	auditPosition,
	type Changes,
	ReadAgain,
	type Row,
	readChanges,
	readTable,
	type Totals,
} from "./backup-rows.ts";
import { backupTables, type Table } from "./backup-tables.ts";
import { inParallel } from "./in-parallel.ts";
import { removeWhenStopped } from "./when-stopped.ts";

const STORED_FILE = v.object({ path: v.string(), bytes: v.number(), sha256: v.string() });
/** Describes a backup. It is written last, and a folder without it is no backup. */
export const MANIFEST = v.object({
	format: v.literal(1),
	/** When reading began, and the moment the backup reflects; ISO 8601, UTC. */
	startedAt: v.string(),
	endedAt: v.string(),
	/** The migrations that the database had. */
	migrations: v.array(v.string()),
	/** The salt of the passphrase's key and its proof; null for an unencrypted backup. */
	encryption: v.nullable(v.object({ salt: v.string(), proof: v.string() })),
	tables: v.array(
		v.object({
			name: v.string(),
			columns: v.array(v.string()),
			rows: v.number(),
			file: STORED_FILE,
		}),
	),
	receipts: v.array(v.object({ key: v.string(), mediaType: v.string(), file: STORED_FILE })),
	/** Receipts whose file was missing from the file store. */
	missing: v.array(v.string()),
	/** Every driver's all-time totals. */
	totals: v.object({ columns: v.array(v.string()), sha256: v.string() }),
});
export type Manifest = v.InferOutput<typeof MANIFEST>;

/** The columns that are read of a receipt. */
type Receipt = { key: string; mediaType: string; sha256: string };
/** Receipts fetched in parallel. */
const RECEIPTS_AT_ONCE = 4;

export const hashTotals = ({ rows }: Totals) =>
	createHash("sha256").update(JSON.stringify(rows)).digest("hex");

/** Everything that a backup consists of, the manifest first: without it the folder isn't a backup. */
const CONTENTS = "manifest.json manifest.partial manifest.sha256 partial tables receipts".split(
	" ",
);

/**
 * Writes the rows, then the receipts, then the manifest. If it fails or the process is stopped, it
 * leaves nothing in the folder.
 * @param folder new or empty
 * @throws BackupError
 */
export async function writeBackup(
	place: Place,
	folder: string,
	key: Key | undefined,
	now: () => number,
): Promise<Manifest> {
	await mkdir(folder, { recursive: true });
	if ((await readdir(folder)).length > 0)
		throw new BackupError(`${folder} isn't empty. Choose a new folder for each backup.`);
	const contents = CONTENTS.map((name) => join(folder, name));
	const keep = removeWhenStopped(contents);
	try {
		return await writeFiles(place, folder, key, now);
	} catch (error) {
		// The first fault is the one to report.
		for (const path of contents)
			await rm(path, { recursive: true, force: true }).catch(() => undefined);
		throw error;
	} finally {
		keep();
	}
}

async function writeFiles(
	{ db, archive, receipts: store }: Place,
	folder: string,
	key: Key | undefined,
	now: () => number,
): Promise<Manifest> {
	const startedAt = new Date(now()).toISOString();
	for (let tries = 1; ; tries++) {
		try {
			const rows = await writeRows(db, archive, folder, key, now);
			const receipts = await writeReceipts(store, folder, rows.receipts, key);
			const manifest: Manifest = {
				format: 1,
				startedAt,
				endedAt: new Date(rows.at).toISOString(),
				migrations: rows.migrations,
				encryption: key ? { salt: key.salt, proof: keyProof(key) } : null,
				tables: rows.tables,
				...receipts,
				totals: rows.totals,
			};
			const text = `${JSON.stringify(manifest, null, "\t")}\n`;
			await writeFile(join(folder, "manifest.partial"), text, { mode: 0o600 });
			await writeFile(
				join(folder, "manifest.sha256"),
				`${createHash("sha256").update(text).digest("hex")}\n`,
			);
			await rename(join(folder, "manifest.partial"), join(folder, "manifest.json"));
			return manifest;
		} catch (error) {
			if (!(error instanceof ReadAgain) || tries === 3) throw error;
		}
	}
}

async function writeRows(
	db: D1Database,
	archive: D1Database | undefined,
	folder: string,
	key: Key | undefined,
	now: () => number,
) {
	const moved = await archiveState(db);
	const { results: applied } = await db
		.prepare("select name from d1_migrations order by id")
		.all<{ name: string }>();
	const tables = await backupTables(db);
	const since = await auditPosition(db);
	const ends = new Map<string, { last: number; count: number }>();
	const firsts = new Map<string, StoredFile>();
	for (const table of tables) {
		const end = { last: -1, count: 0 };
		ends.set(table.name, end);
		async function* lines() {
			for await (const page of readTable(db, table)) {
				end.last = page.at(-1)?.[0] ?? end.last;
				end.count += page.length;
				yield page.map((row) => `${JSON.stringify(row)}\n`).join("");
			}
		}
		firsts.set(table.name, await writeBackupFile(folder, `partial/${table.name}`, lines(), key));
	}
	const { at, changes, totals } = await readChanges(db, tables, since, ends, now);
	const receipts: Receipt[] = [];
	const written: Manifest["tables"] = [];
	for (const table of tables) {
		const first = firsts.get(table.name);
		const change = changes.get(table.name);
		if (!first || !change) throw new Error(`${table.name} was not read`);
		let rows = 0;
		async function* lines() {
			for await (const row of mergeRows(
				linesOfBackupFile(folder, first as StoredFile, key),
				change as Changes,
			)) {
				rows += 1;
				if (table.name === "receipts") receipts.push(receiptFrom(table, row));
				yield `${JSON.stringify(row)}\n`;
			}
		}
		const file = await writeBackupFile(folder, `tables/${table.name}.ndjson`, lines(), key);
		written.push({ name: table.name, columns: [...table.columns], rows, file });
	}
	await rm(join(folder, "partial"), { recursive: true });
	const entries = tables.find(({ name }) => name === ENTRIES);
	if (moved && entries) written.push(await writeArchive(archive, entries, folder, key));
	if ((await archiveState(db)) !== moved)
		throw new BackupError("A year is being archived. Back up again once that is done.");
	return {
		at,
		migrations: applied.map(({ name }) => name),
		tables: written,
		receipts,
		totals: { columns: [...totals.columns], sha256: hashTotals(totals) },
	};
}

/** A text that changes whenever the archive does; undefined while no year is closed. */
async function archiveState(db: D1Database): Promise<string | undefined> {
	const { results: tables } = await db
		.prepare("select 1 from sqlite_master where name = 'archived_years'")
		.all();
	if (tables.length === 0) return undefined;
	const { results } = await db.prepare("select year, entries from archived_years").all();
	return results.length > 0 ? JSON.stringify(results) : undefined;
}

/** Writes the trips of closed years, which are in a separate database. */
async function writeArchive(
	archive: D1Database | undefined,
	table: Table,
	folder: string,
	key: Key | undefined,
): Promise<Manifest["tables"][number]> {
	if (!archive)
		throw new BackupError(
			"Years are archived, but wrangler.toml binds no database to ARCHIVE. docs/operations.md, 'Archiving a year'.",
		);
	let rows = 0;
	const source = archive;
	async function* lines() {
		for await (const page of readTable(source, table)) {
			rows += page.length;
			yield page.map(([, row]) => `${JSON.stringify(row)}\n`).join("");
		}
	}
	const path = `tables/${ARCHIVED_ENTRIES}.ndjson`;
	const file = await writeBackupFile(folder, path, lines(), key);
	return { name: ARCHIVED_ENTRIES, columns: [...table.columns], rows, file };
}

/** The rows as first read, with the later changes applied. */
async function* mergeRows(lines: AsyncIterable<string>, { changed, gone }: Changes) {
	const left = new Map(changed);
	for await (const line of lines) {
		const [number, row] = JSON.parse(line) as [number, Row];
		const newer = left.get(number);
		left.delete(number);
		if (newer) yield newer;
		else if (!gone.has(number)) yield row;
	}
	yield* left.values();
}

function receiptFrom(table: Table, row: Row): Receipt {
	const value = (name: string) => String(row[table.columns.indexOf(name)]);
	return { key: value("object_key"), mediaType: value("media_type"), sha256: value("sha256") };
}

async function writeReceipts(
	store: ReceiptStore,
	folder: string,
	receipts: readonly Receipt[],
	key: Key | undefined,
): Promise<Pick<Manifest, "receipts" | "missing">> {
	const written: Manifest["receipts"] = [];
	const missing: string[] = [];
	await inParallel(RECEIPTS_AT_ONCE, receipts, async (receipt) => {
		const bytes = await store.get(receipt.key);
		// The file differs from what was uploaded, so it isn't the receipt.
		if (!bytes || createHash("sha256").update(bytes).digest("hex") !== receipt.sha256) {
			missing.push(receipt.key);
			return;
		}
		if (!/^[\w-]+(\/[\w-]+)*$/.test(receipt.key))
			throw new BackupError(`${receipt.key} isn't one of our keys.`);
		const file = await writeBackupFile(folder, `receipts/${receipt.key}`, [bytes], key);
		written.push({ key: receipt.key, mediaType: receipt.mediaType, file });
	});
	const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);
	return { receipts: written.sort(byKey), missing: missing.sort() };
}
