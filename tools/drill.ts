/** `npm run drill`: proves that a backup can be restored by restoring it. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isCalendarDate } from "../app/values/calendar-date.ts";
import { pluralize } from "../app/values/count.ts";
import { readArguments } from "./arguments.ts";
import { BackupError } from "./backup-file.ts";
import { openLocalPlace, openRemotePlace } from "./backup-place.ts";
import { runTool } from "./backup-tool.ts";
import { deployCommand, setupCommand } from "./commands.ts";
import { fetchNightly } from "./nightly-read.ts";
import { rehearse, sizeOf } from "./rehearse.ts";
import { removeWhenStopped } from "./when-stopped.ts";

const USAGE = `Usage: npm run drill -- --remote [--date 2026-11-22] [--keep FOLDER]
       npm run drill -- --from FOLDER

Restores a backup into a scratch database on this machine, compares every count, hash and total with what was
backed up, and removes the scratch again. Nothing of the fleet is changed.

  --remote     The newest nightly export of the deployed fleet, from the bucket bound to BACKUPS.
  --date       The export of that night instead of the newest.
  --from       A folder that npm run backup has written, instead of an export.
  --keep       A new folder to keep the fetched export in, unencrypted; npm run restore -- --from takes it.
  --help       Prints this.`;

const OPTIONS = {
	remote: { type: "boolean", default: false },
	from: { type: "string" },
	date: { type: "string" },
	keep: { type: "string" },
	help: { type: "boolean", short: "h", default: false },
} as const;
const fault = (reason: string) => new BackupError(`${reason}. See npm run drill -- --help`);

function optionsIn(args: string[]) {
	const { values } = readArguments({ args, options: OPTIONS }, fault);
	if (values.help) return values;
	const isFrom = values.from !== undefined;
	if (isFrom === values.remote)
		throw fault("Specify a backup: --remote for the newest nightly export, or --from FOLDER");
	if (isFrom && (values.date ?? values.keep) !== undefined)
		throw fault("--date and --keep go with --remote, not with --from");
	if (values.date !== undefined && !isCalendarDate(values.date))
		throw fault("--date takes a date such as 2026-11-22");
	if (values.keep !== undefined && existsSync(resolve(values.keep)))
		throw new BackupError(`${values.keep} already exists. Choose a new folder.`);
	return values;
}

await runTool(async () => {
	const { from, date, keep, help } = optionsIn(process.argv.slice(2));
	if (help) return USAGE;
	const started = performance.now();
	const scratch = await mkdtemp(join(tmpdir(), "milepost-drill-"));
	const folder = from ? resolve(from) : keep ? resolve(keep) : join(scratch, "export");
	const onlyWhole = removeWhenStopped([scratch, ...(keep ? [folder] : [])]);
	try {
		if (!from) await fetchExport(folder, date);
		onlyWhole();
		removeWhenStopped([scratch]);
		const place = await openLocalPlace(join(scratch, "state"));
		const passphrase = process.env.MILEPOST_BACKUP_PASSPHRASE;
		const manifest = await rehearse(place, folder, passphrase).finally(place.close);
		const { missing } = manifest;
		if (missing.length > 0)
			console.error(
				`${pluralize(missing.length, "receipt")} had no file in the fleet itself when it was backed up.`,
			);
		const { rows, receipts, bytes } = sizeOf(manifest);
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		return `Restored ${pluralize(rows, "row")} and ${pluralize(receipts, "receipt")}, ${(bytes / 1e6).toFixed(1)} MB, as of ${manifest.endedAt}, in ${seconds} s: every count, hash and total agrees.`;
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
});

async function fetchExport(folder: string, date?: string): Promise<void> {
	const { backups } = openRemotePlace();
	if (!backups)
		throw new BackupError(
			`wrangler.toml binds no bucket to BACKUPS: write its three lines again, then ${setupCommand()}, which creates the bucket, and ${deployCommand()}. docs/operations.md, 'Every day'.`,
		);
	try {
		await fetchNightly(backups, folder, date);
	} catch (error) {
		await rm(folder, { recursive: true, force: true }).catch(() => undefined);
		throw error;
	}
}
