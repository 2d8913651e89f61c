/** Restores a backup into a scratch place, and checks that it is what was backed up. */
import { Database } from "../app/db/client.server.ts";
import { compareTotals } from "../app/domain/analytics/compare.server.ts";
import { BackupError } from "./backup-file.ts";
import type { Place } from "./backup-place.ts";
import { keyOf, restoreBackup, verifyBackup } from "./backup-read.ts";
import type { Manifest } from "./backup-write.ts";

/**
 * Restores a backup and compares every count, hash and total.
 * @param place empty
 * @throws BackupError if anything differs
 */
export async function rehearse(
	place: Place,
	folder: string,
	passphrase: string | undefined,
): Promise<Manifest> {
	const manifest = await verifyBackup(folder);
	await restoreBackup(place, folder, manifest, keyOf(manifest, passphrase));
	const { wrong } = await compareTotals(new Database(place.db));
	if (wrong.length === 0) return manifest;
	throw new BackupError(`The restored totals of ${wrong.length} drivers don't match their rows.`);
}

/** The contents of a backup. */
export function sizeOf({ tables, receipts }: Manifest) {
	return {
		rows: tables.reduce((sum, table) => sum + table.rows, 0),
		receipts: receipts.length,
		bytes: [...tables, ...receipts].reduce((sum, { file }) => sum + file.bytes, 0),
	};
}
