/**
 * `npm run backup -- --to FOLDER`: every row and receipt of the fleet, in files that anyone can
 * read.
 */

import { resolve } from "node:path";
import { pluralize } from "../app/values/count.ts";
import { deriveKey } from "./backup-file.ts";
import { openFleet } from "./backup-place.ts";
import { optionsFrom, runTool } from "./backup-tool.ts";
import { writeBackup } from "./backup-write.ts";

const USAGE = `Usage: npm run backup -- --to FOLDER [--remote]

Writes every row as a line of JSON and every receipt as a file, with a manifest of counts and hashes, into a
new folder. The fleet may go on working: the backup is true as of the moment it ends reading the rows.
Sessions aren't part of it; everyone signs in again after a restore.

  --to        A folder that is new or empty.
  --remote    The deployed database and bucket. CLOUDFLARE_API_TOKEN has to be a token that may read D1 and R2.
  --help      Prints this.

With MILEPOST_BACKUP_PASSPHRASE set the files are encrypted; without the passphrase no one can read them, you
included. Restore with: npm run restore -- --from FOLDER`;

await runTool(async () => {
	const { folder, isRemote } = optionsFrom("to");
	if (folder === undefined) return USAGE;
	const passphrase = process.env.MILEPOST_BACKUP_PASSPHRASE;
	const place = await openFleet(isRemote);
	try {
		const started = performance.now();
		const key = passphrase ? deriveKey(passphrase) : undefined;
		const manifest = await writeBackup(place, resolve(folder), key, Date.now);
		const { tables, receipts, missing } = manifest;
		const rows = tables.reduce((sum, table) => sum + table.rows, 0);
		const bytes = [...tables, ...receipts].reduce((sum, { file }) => sum + file.bytes, 0);
		if (missing.length > 0)
			console.error(
				`The file store is missing the files of these receipts: ${missing.join(", ")}. Everything else is backed up.`,
			);
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		return `${pluralize(rows, "row")} and ${pluralize(receipts.length, "receipt")}, ${(bytes / 1e6).toFixed(1)} MB, as of ${manifest.endedAt}, in ${seconds} s: ${folder}`;
	} finally {
		await place.close();
	}
});
