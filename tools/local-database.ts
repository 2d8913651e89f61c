/** A state folder's D1, in a workerd that serves nothing else. */
import { randomUUID } from "node:crypto";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { PATIENT_ATTEMPTS } from "../app/db/client.server.ts";
import { D1_PROXY, proxiedDatabase } from "../tests/support/d1-proxy.ts";
import { outputLines, storageOptions } from "./local-worker.ts";
import { loadMiniflare } from "./packages.ts";
import { expectWritable } from "./place-faults.ts";

export type LocalDatabase = {
	readonly db: D1Database;
	/** The one with the trips of closed years. */
	readonly archive: D1Database;
	readonly receipts: Pick<R2Bucket, "get" | "put">;
	readonly close: () => Promise<void>;
};

/**
 * Asks again, for about five seconds, while another process's writes lock the database; the runtime
 * may hide that behind an internal error.
 * @throws Error for a write immediately, since it may have been done, worded so that `Database`
 * knows that it may repeat it
 */
export async function whileLocked(
	body: string,
	send: () => Promise<LocalAnswer>,
): Promise<LocalAnswer> {
	const statements: { readonly sql: string }[] = JSON.parse(body);
	const isRead = statements.every(
		({ sql }) =>
			/^\s*(select|with|pragma)\b/i.test(sql) && !/\b(insert|update|delete)\b/i.test(sql),
	);
	for (let tries = 1; ; tries++) {
		const answer = await send();
		if (answer.ok) return answer;
		const text = await answer.text();
		const isHidden = text.includes("internal error; reference");
		if (!isHidden && !/database is locked|SQLITE_BUSY/.test(text)) throw new Error(text);
		if (!isRead) throw new Error(isHidden ? `database is locked: ${text}` : text);
		if (tries === PATIENT_ATTEMPTS)
			throw new Error(isHidden ? text : "another program keeps it locked");
		await new Promise((goOn) => setTimeout(goOn, Math.min(25 * tries, 250)));
	}
}
type LocalAnswer = Pick<Awaited<ReturnType<Miniflare["dispatchFetch"]>>, "ok" | "text" | "json">;

/**
 * Opens it. The caller must close it before anything else opens the folder. Without a folder it is
 * in memory and empty.
 * @param onLine called with each line that workerd writes
 * @throws UnwritablePlace
 */
export async function openLocalDatabase(
	state: string | undefined,
	onLine: (line: string) => void = () => undefined,
): Promise<LocalDatabase> {
	if (state) expectWritable(state);
	// Miniflare's own binding loses statements of a long batch to garbage collection. This proxy has
	// a port, so the path to the database is a secret of this process.
	const [name, second] = [randomUUID(), randomUUID()];
	const runtime = loadMiniflare();
	const worker: Miniflare = new runtime.Miniflare({
		...storageOptions(state),
		modules: [{ type: "ESModule", path: "d1-proxy.mjs", contents: D1_PROXY }],
		d1Databases: { [name]: "milepost", [second]: "milepost-archive" },
		handleRuntimeStdio: outputLines(onLine),
	} as MiniflareOptions);
	const open = (at: string) =>
		proxiedDatabase((body) =>
			whileLocked(body, () =>
				worker.dispatchFetch(`http://database/${at}`, { method: "POST", body }),
			),
		);
	const bucket = async () => (await worker.getR2Bucket("RECEIPTS")) as unknown as R2Bucket;
	return {
		db: open(name),
		archive: open(second),
		receipts: {
			get: async (key: string) => (await bucket()).get(key),
			put: async (...file: Parameters<R2Bucket["put"]>) => (await bucket()).put(...file),
		} as LocalDatabase["receipts"],
		close: () => worker.dispose().catch(() => undefined),
	};
}
