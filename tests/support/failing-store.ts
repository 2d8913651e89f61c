/** A receipt store that fails. */
import { readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/**
 * Replaces workerd's folder of objects with a link to itself, so that every access fails.
 * @param state the fleet's folder, with at least one stored receipt
 */
export async function withoutFileStore<T>(state: string, act: () => Promise<T>): Promise<T> {
	const folder = join(state, "r2", "milepost-receipts", "blobs");
	expect(readdirSync(folder).length).toBeGreaterThan(0);
	renameSync(folder, `${folder}-away`);
	symlinkSync("blobs", folder);
	try {
		return await act();
	} finally {
		rmSync(folder);
		renameSync(`${folder}-away`, folder);
	}
}
