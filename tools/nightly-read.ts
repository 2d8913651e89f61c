/** Turns a nightly export into a backup folder that restore can read, verified part by part. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { LATEST, manifestKey, NIGHTLY, POINTER, RECEIPTS } from "../app/domain/backups/manifest.ts";
import { BackupError, writeBackupFile } from "./backup-file.ts";
import type { ReceiptStore } from "./backup-place.ts";
import type { Manifest } from "./backup-write.ts";
import { inParallel } from "./in-parallel.ts";

const sha256Of = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
/** Receipts fetched in parallel. */
const AT_ONCE = 4;

async function textOf(store: ReceiptStore, key: string): Promise<string> {
	const bytes = await store.get(key);
	if (!bytes) throw new BackupError(`${key} is missing from the bucket of backups.`);
	return new TextDecoder().decode(bytes);
}

/**
 * The export that the bucket names as newest.
 * @param isOptional whether an export can be fetched without it
 * @throws BackupError
 */
async function latestExport(store: ReceiptStore, isOptional: boolean) {
	const bytes = await store.get(LATEST);
	const pointer = v.safeParse(
		v.pipe(v.string(), v.parseJson(), POINTER),
		bytes && new TextDecoder().decode(bytes),
	);
	if (pointer.success) return pointer.output;
	if (isOptional) return undefined;
	throw new BackupError(
		bytes ? `${LATEST} is damaged.` : "The bucket of backups has no complete export yet.",
	);
}

/**
 * Fetches an export into a new folder.
 * @param date of the export; the newest if absent
 * @throws BackupError if anything is missing or was changed
 */
export async function fetchNightly(
	store: ReceiptStore,
	folder: string,
	date?: string,
): Promise<{ date: string; manifest: Manifest }> {
	const latest = await latestExport(store, date !== undefined);
	const wanted = date ?? latest?.date ?? "";
	const text = await textOf(store, manifestKey(wanted));
	if (wanted === latest?.date && sha256Of(text) !== latest.sha256)
		throw new BackupError(`${manifestKey(wanted)} is damaged: it isn't what was exported.`);
	const nightly = v.safeParse(v.pipe(v.string(), v.parseJson(), NIGHTLY), text);
	if (!nightly.success) throw new BackupError(`${manifestKey(wanted)} is damaged.`);
	await mkdir(folder, { recursive: true });
	const { tables, missing, totals, startedAt, endedAt, migrations } = nightly.output;
	const written: Manifest["tables"] = [];
	for (const { name, columns, parts } of tables) {
		async function* content() {
			for (const { path, sha256 } of parts) {
				const bytes = await store.get(path);
				if (!bytes) throw new BackupError(`${path} is missing from the bucket of backups.`);
				if (sha256Of(bytes) !== sha256)
					throw new BackupError(`${path} is damaged: it isn't what was exported.`);
				yield new TextDecoder().decode(bytes);
			}
		}
		const file = await writeBackupFile(folder, `tables/${name}.ndjson`, content(), undefined);
		const rows = parts.reduce((sum, part) => sum + part.rows, 0);
		written.push({ name, columns, rows, file });
	}
	const receipts = await fetchReceipts(store, folder, nightly.output, new Set(missing));
	const manifest: Manifest = {
		format: 1,
		startedAt,
		endedAt,
		migrations,
		encryption: null,
		tables: written,
		receipts,
		missing,
		totals,
	};
	const told = `${JSON.stringify(manifest, null, "\t")}\n`;
	await writeFile(join(folder, "manifest.json"), told, { mode: 0o600 });
	await writeFile(join(folder, "manifest.sha256"), `${sha256Of(told)}\n`);
	return { date: wanted, manifest };
}

/** The receipt files that the exported rows refer to. */
async function fetchReceipts(
	store: ReceiptStore,
	folder: string,
	{ tables }: v.InferOutput<typeof NIGHTLY>,
	missing: ReadonlySet<string>,
): Promise<Manifest["receipts"]> {
	const table = tables.find(({ name }) => name === "receipts");
	const column = (name: string) => table?.columns.indexOf(name) ?? -1;
	const stored: string[][] = [];
	for (const { path } of table?.parts ?? [])
		for (const line of (await textOf(store, path)).split("\n").filter(Boolean)) {
			const row = JSON.parse(line) as unknown[];
			stored.push(["object_key", "media_type", "sha256"].map((name) => String(row[column(name)])));
		}
	const written: Manifest["receipts"] = [];
	await inParallel(AT_ONCE, stored, async ([key = "", mediaType = "", sha256]) => {
		if (missing.has(key)) return;
		const bytes = await store.get(`${RECEIPTS}${key}`);
		if (!bytes) throw new BackupError(`${RECEIPTS}${key} is missing from the bucket of backups.`);
		if (sha256Of(bytes) !== sha256)
			throw new BackupError(`${RECEIPTS}${key} is damaged: it isn't what was uploaded.`);
		const file = await writeBackupFile(folder, `receipts/${key}`, [bytes], undefined);
		written.push({ key, mediaType, file });
	});
	return written.sort((one, other) => (one.key < other.key ? -1 : 1));
}
