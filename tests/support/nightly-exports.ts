/** A fleet whose nightly export is made in steps, with its buckets, and what an export restores. */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { Database } from "../../app/db/client.server.ts";
import { nightlyExport } from "../../app/domain/backups/nightly.server.ts";
import { parseCalendarDate } from "../../app/values/calendar-date.ts";
import type { ReceiptStore } from "../../tools/backup-place.ts";
import { restoreBackup, verifyBackup } from "../../tools/backup-read.ts";
import { backupTables } from "../../tools/backup-tables.ts";
import { fetchNightly } from "../../tools/nightly-read.ts";
import { idOf, ZONE } from "./cast.ts";
import { openDatabase, type TestDatabase } from "./database.ts";
import { openFileStores } from "./file-store.ts";
import { insertMoneyRows } from "./settlements.ts";

/** When the first export begins. */
export const NOON = Date.UTC(2026, 10, 21, 17);
export const TODAY = parseCalendarDate("2026-11-21");
/** The content of the receipt `r1`. */
export const RECEIPT = new TextEncoder().encode("a receipt");

export const storeOf = (bucket: R2Bucket): ReceiptStore => ({
	get: async (key) => {
		const object = await bucket.get(key);
		return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
	},
	put: async () => undefined,
});

/** Every row of every table that is backed up, except what a restore changes. */
export async function contentOf({ d1, rows }: TestDatabase) {
	const content: Record<string, unknown[]> = {};
	for (const { name, columns } of await backupTables(d1))
		content[name] = (
			await rows(`select ${columns.map((each) => `"${each}"`).join(", ")} from ${name}`)
		)
			.map((row) => JSON.stringify(row))
			// The export writes its own audit entry when complete.
			.filter((row) => !row.includes("backup.export"))
			.sort();
	return content;
}

/** For the tests of one file, each of which begins without an export. */
export async function openExports() {
	const bench = await openDatabase("everyone", NOON);
	const { receipts, backups } = await openFileStores("receipts", "backups");
	const scratch = await mkdtemp(join(tmpdir(), "milepost-nightly-"));
	afterAll(() => rm(scratch, { recursive: true, force: true }));
	const store = storeOf(backups);
	beforeEach(async () => {
		const { objects } = await backups.list();
		if (objects.length > 0) await backups.delete(objects.map(({ key }) => key));
	});
	await receipts.put("r/r1", RECEIPT);
	await bench.rows(
		`insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		values ('r1', ?, 'r/r1', 'image/png', 9, ?, 'a.png', 5)`,
		idOf("dana"),
		createHash("sha256").update(RECEIPT).digest("hex"),
	);
	await insertMoneyRows(bench.rows, "lena", "2026-11-09");

	/** Minutes of a night until its export is complete; `between` runs before each except the first. */
	async function exportOn(day: number, between = async () => {}, partRows = 4, target = backups) {
		const buckets = { receipts, backups: target };
		for (let minute = 0; minute < 60; minute++) {
			if (minute > 0) await between();
			const now = NOON + day * 86_400_000 + minute * 60_000;
			const system = { role: "system", db: new Database(bench.d1), now } as const;
			const done = await nightlyExport(system, buckets, ZONE, { partRows });
			if (done) return done;
		}
		throw new Error("the export doesn't end");
	}

	let folders = 0;
	/** The newest export, restored into an empty fleet. */
	async function restored() {
		const folder = join(scratch, String(++folders));
		await fetchNightly(store, folder);
		const manifest = await verifyBackup(folder);
		const target = await openDatabase("nobody", NOON);
		const kept = new Map<string, Uint8Array>();
		const place = {
			name: "scratch",
			db: target.d1,
			receipts: {
				get: async (key: string) => kept.get(key),
				put: async (key: string, content: Uint8Array) => void kept.set(key, content),
			},
			close: async () => undefined,
		};
		await restoreBackup(place, folder, manifest, undefined);
		return { target, kept, manifest };
	}
	return { bench, receipts, backups, scratch, store, exportOn, restored };
}
