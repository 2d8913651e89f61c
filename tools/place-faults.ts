/** Why files on this machine can't be written, with what to do about it. */

import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;

/** Whether an error, of a file or of SQLite, says that the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
	/\b(ENOSPC|EDQUOT|SQLITE_FULL)\b/.test(`${codeOf(error)} ${error}`);

/** Whether an error is about a file or folder, not about a database or a connection. */
export const isOfFile = (error: unknown): boolean =>
	error instanceof Error &&
	"syscall" in error &&
	!("address" in error) &&
	/^E[A-Z]+: /.test(error.message);

/** Why a place that `npm start` needs can't be written. @param code the system's, such as EACCES */
export function whyNotWritten(place: string, code: string | undefined): string {
	if (isDiskFull({ code }))
		return `${place} can't be written: the disk is full (${code}). Make room there, or set MILEPOST_STATE to a folder on another disk.`;
	return `${place} can't be written (${code}). Give yourself the right to, or set MILEPOST_STATE to another folder.`;
}

/** A place can't be written. The message is one line. */
export class UnwritablePlace extends Error {}

/**
 * Checks the files of a state folder's database, which even reading it writes to: workerd would
 * only report an internal error.
 * @throws UnwritablePlace
 */
export function expectWritable(state: string): void {
	const folder = join(state, "d1");
	if (!existsSync(folder)) return;
	try {
		accessSync(folder, constants.R_OK | constants.W_OK);
		// Another program that used the database may just have removed its own files.
		for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
			if (existsSync(join(folder, name))) accessSync(join(folder, name), constants.W_OK);
	} catch (error) {
		const code = codeOf(error);
		if (code !== "ENOENT")
			throw new UnwritablePlace(whyNotWritten(`The database in ${state}`, code));
	}
}

/** Why a state folder's database can't be used. @param reason SQLite's or workerd's words */
export function whyUnusable(state: string, reason: string): string {
	const [code] = /\b(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|SQLITE_FULL)\b/.exec(reason) ?? [];
	if (code) return whyNotWritten(`The database in ${state}`, code);
	return `The database in ${state} can't be used: ${reason}. Move that folder away to start fresh.`;
}
