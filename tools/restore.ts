/** `npm run restore -- --from FOLDER`: restores a backup into an empty place. */

import { existsSync, rmdirSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pluralize } from "../app/values/count.ts";
import { BackupError } from "./backup-file.ts";
import { openLocalPlace, openRemotePlace, type Place } from "./backup-place.ts";
import { keyOf, restoreBackup, verifyBackup } from "./backup-read.ts";
import { optionsFrom, runTool } from "./backup-tool.ts";
import { stateFolder } from "./state-folder.ts";
import { describeHolder, takeState } from "./state-lock.ts";
import { removeWhenStopped } from "./when-stopped.ts";

const USAGE = `Usage: npm run restore -- --from FOLDER [--remote]

Checks that a backup is whole, then puts it into an empty place: a state folder that doesn't exist yet
(.milepost or MILEPOST_STATE), or with --remote the database of wrangler.toml, which must be empty, and its bucket. Recalculates
the totals and compares them. Emails that were waiting aren't sent: the outbox shows them as failed.

  --from      The folder of the backup.
  --remote    The deployed database and bucket. CLOUDFLARE_API_TOKEN has to be a token that may edit D1 and R2.
              Set SWEEPER = "off" and deploy first.
  --help      Prints this.

An encrypted backup needs MILEPOST_BACKUP_PASSPHRASE.`;

await runTool(async () => {
	const { folder, isRemote } = optionsFrom("from");
	if (folder === undefined) return USAGE;
	const from = resolve(folder);
	const manifest = await verifyBackup(from);
	const key = keyOf(manifest, process.env.MILEPOST_BACKUP_PASSPHRASE);
	const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
	let hasBegun = false;
	const restore = async (place: Place) => {
		try {
			return await restoreBackup(place, from, manifest, key, () => {
				hasBegun = true;
			});
		} finally {
			await place.close();
		}
	};
	if (isRemote)
		await restore(openRemotePlace()).catch((error: unknown) => {
			throw hasBegun ? halfRestored(error) : error;
		});
	else await restoreLocally(stateFolder(), restore);
	return `${pluralize(rows, "row")} and ${pluralize(manifest.receipts.length, "receipt")} restored as of ${manifest.endedAt}; every total agrees.`;
});

/** Restores into a temporary folder, which takes the place's name only when it is complete. */
async function restoreLocally(state: string, restore: (place: Place) => Promise<unknown>) {
	await takeForRestore(state);
	const partial = `${state}.restoring`;
	const [database, receipts] = [join(state, "d1"), join(state, "r2")];
	const [newDatabase, newReceipts] = [join(partial, "d1"), join(partial, "r2")];
	// Written before the receipts are moved: tells them apart from another fleet's, which are kept.
	const moving = join(partial, "moving");
	const areReceiptsOurs = () =>
		existsSync(moving) && existsSync(newDatabase) && !existsSync(newReceipts);
	if (existsSync(database)) throw occupied(state, "a database");
	if (areReceiptsOurs()) await rm(receipts, { recursive: true, force: true });
	if (existsSync(receipts)) throw occupied(state, "receipts");
	await rm(partial, { recursive: true, force: true });
	const keep = removeWhenStopped([partial]);
	try {
		await restore(await openLocalPlace(partial));
		// From here on another run completes it.
		keep();
		// Without receipts this folder doesn't exist.
		if (existsSync(newReceipts)) {
			await writeFile(moving, "");
			await rename(newReceipts, receipts);
		}
		await rename(newDatabase, database);
	} finally {
		if (!areReceiptsOurs()) await rm(partial, { recursive: true, force: true });
	}
}

/** Takes the folder, so that no server or other restore starts its own there. */
async function takeForRestore(state: string): Promise<void> {
	const other = await takeState(state, 0);
	if (other)
		throw new BackupError(
			`${state} is ${describeHolder(other)}, or set MILEPOST_STATE to a new folder.`,
		);
	process.once("exit", () => {
		try {
			rmdirSync(state);
		} catch {
			// Something was restored, or was there before.
		}
	});
}

function occupied(state: string, what: string): BackupError {
	return new BackupError(
		`${state} has ${what} already. Move the whole folder away, or set MILEPOST_STATE to a new one.`,
	);
}

function halfRestored(error: unknown): BackupError {
	const text =
		error instanceof Error ? error.message.replace(/\s+/g, " ").slice(0, 300) : String(error);
	return new BackupError(
		`${text} The database may be half restored: delete it, create it again and restore into that.`,
	);
}
