/** Remakes a folder, or leaves the one that was there. */
import { existsSync, renameSync, rmSync } from "node:fs";

/**
 * Makes a folder from nothing. If that fails, the folder is what it was before: a server may be
 * serving its files.
 */
export async function replaceFolder(folder: string, make: () => Promise<void>): Promise<void> {
	const previous = `${folder}.previous`;
	rmSync(previous, { recursive: true, force: true });
	if (existsSync(folder)) renameSync(folder, previous);
	try {
		await make();
	} catch (error) {
		rmSync(folder, { recursive: true, force: true });
		if (existsSync(previous)) renameSync(previous, folder);
		throw error;
	}
	rmSync(previous, { recursive: true, force: true });
}
