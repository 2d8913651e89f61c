/** A state folder's D1, in a workerd that serves nothing else. */
import { randomUUID } from "node:crypto";
import type { MiniflareOptions } from "miniflare";
import { D1_PROXY, proxiedDatabase } from "../tests/support/d1-proxy.ts";
import { outputLines, storageOptions } from "./local-worker.ts";
import { loadMiniflare } from "./packages.ts";

export type LocalDatabase = {
	readonly db: D1Database;
	/** The one with the trips of closed years. */
	readonly archive: D1Database;
	readonly receipts: Pick<R2Bucket, "put">;
	readonly close: () => Promise<void>;
};

/**
 * Opens it. The caller has to close it before anything else opens the folder. Without a folder it
 * is in memory and empty.
 * @param onLine called with each line that workerd writes
 */
export async function openLocalDatabase(
	state: string | undefined,
	onLine: (line: string) => void = () => undefined,
): Promise<LocalDatabase> {
	// Miniflare's own binding loses statements of a long batch to garbage collection. This proxy has
	// a port, so the path to the database is a secret of this process.
	const [name, second] = [randomUUID(), randomUUID()];
	const { Miniflare } = loadMiniflare();
	const worker = new Miniflare({
		...storageOptions(state),
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
		d1Databases: { [name]: "milepost", [second]: "milepost-archive" },
		handleRuntimeStdio: outputLines(onLine),
	} as MiniflareOptions);
	const open = (at: string) =>
		proxiedDatabase((body) =>
			worker.dispatchFetch(`http://database/${at}`, { method: "POST", body }),
		);
	return {
		db: open(name),
		archive: open(second),
		receipts: {
			put: async (...file: Parameters<R2Bucket["put"]>) => {
				const bucket = await worker.getR2Bucket("RECEIPTS");
				return (bucket as unknown as R2Bucket).put(...file);
			},
		} as Pick<R2Bucket, "put">,
		close: () => worker.dispose().catch(() => undefined),
	};
}
