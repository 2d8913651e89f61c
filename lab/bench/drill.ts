/**
 * `npm run bench -- drill`: exports a large fleet on the Worker's own nightly schedule, restores it
 * like `npm run drill`, and compares. Even at that size a flipped byte must be found.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type MiniflareOptions } from "miniflare";
import { addDays, dateIn, startOfDay } from "../../app/values/calendar-date.ts";
import { ZONE } from "../../tests/support/cast.ts";
import { BackupError } from "../../tools/backup-file.ts";
import { openLocalPlace, type ReceiptStore } from "../../tools/backup-place.ts";
import { verifyBackup } from "../../tools/backup-read.ts";
import { type Manifest, writeBackup } from "../../tools/backup-write.ts";
import { outputLines, storageOptions, workerOptions } from "../../tools/local-worker.ts";
import { fetchNightly } from "../../tools/nightly-read.ts";
import { rehearse, sizeOf } from "../../tools/rehearse.ts";
import { costMeter } from "../measure.ts";
import { fillFolder } from "./site.ts";
import type { Figure } from "./table.ts";

/** The fleet's size; there is one request for every ten trips, each with a receipt. */
export type DrillSize = { readonly trips: number; readonly receiptBytes: number };
const LARGE: DrillSize = { trips: 200_000, receiptBytes: 20_000 };
/** Exporting this many receipts takes hours of steps, a minute each. */
const MAX_STEPS = 600;
const BUCKETS = { RECEIPTS: "milepost-receipts", BACKUPS: "milepost-backups" };

/** Adds a receipt to each request of a page, and reads what was exported. */
const STORE = `export default { async fetch(request, env) {
	if (request.method === "GET") {
		const object = await env.BACKUPS.get(decodeURIComponent(new URL(request.url).pathname.slice(1)));
		return object ? new Response(object.body) : new Response(null, { status: 404 });
	}
	const { page, bytes } = await request.json();
	const hex = (data) => Array.from(new Uint8Array(data), (byte) => byte.toString(16).padStart(2, "0")).join("");
	const rows = await Promise.all(page.map(async ({ id, owner, at }) => {
		const file = crypto.getRandomValues(new Uint8Array(bytes));
		file.set([0xff, 0xd8, 0xff, 0xe0]);
		const sha256 = hex(await crypto.subtle.digest("SHA-256", file));
		const key = "r/" + id;
		await env.RECEIPTS.put(key, file, { httpMetadata: { contentType: "image/jpeg" }, sha256 });
		return { id: "f" + id.slice(1), owner, at, sha256, key, bytes, request: id };
	}));
	const json = JSON.stringify(rows);
	const of = (name) => "value ->> '" + name + "'";
	await env.DB.batch([
		env.DB.prepare("insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at) select " +
			[of("id"), of("owner"), of("key"), "'image/jpeg'", of("bytes"), of("sha256"), "'receipt.jpg'", of("at")].join(", ") +
			" from json_each(?)").bind(json),
		env.DB.prepare("update fund_requests set receipt_id = each.value ->> 'id' from json_each(?) as each where fund_requests.id = each.value ->> 'request'").bind(json),
	]);
	return new Response(null, { status: 204 });
} }`;

function openStore(state: string): Miniflare {
	return new Miniflare({
		...storageOptions(state),
		modules: [{ type: "ESModule", path: "store.mjs", contents: STORE }],
		r2Buckets: BUCKETS,
		handleRuntimeStdio: outputLines(() => undefined),
	} as MiniflareOptions);
}

async function addReceipts(state: string, bytes: number): Promise<void> {
	const store = openStore(state);
	const db = await store.getD1Database("DB");
	for (let after = ""; ; ) {
		const { results } = await db
			.prepare(
				`select id, driver_id as owner, created_at as at from fund_requests
				where source = 'seed' and id > ? order by id limit 200`,
			)
			.bind(after)
			.all<{ id: string }>();
		const last = results.at(-1);
		if (!last) break;
		const body = JSON.stringify({ page: results, bytes });
		const answer = await store.dispatchFetch("http://store/", { method: "POST", body });
		if (!answer.ok) throw new Error(await answer.text());
		after = last.id;
	}
	await store.dispose();
}

/** Runs the schedule until the night's export is complete. */
async function exportNight(state: string, noon: number) {
	const worker = new Miniflare({
		...workerOptions({ state, onLine: () => undefined }),
		r2Buckets: BUCKETS,
	} as MiniflareOptions);
	await worker.ready;
	const cost = costMeter();
	const [db, task] = [await worker.getD1Database("DB"), await worker.getWorker()];
	for (let minutes = 1; minutes <= MAX_STEPS; minutes++) {
		const scheduledTime = new Date(noon + minutes * 60_000);
		await task.scheduled({ cron: "* * * * *", scheduledTime });
		const done = await db
			.prepare("select finished_on as day from daily_tasks where name = 'export'")
			.all<{ day: string | null }>();
		if (!done.results[0]?.day) continue;
		const peak = cost()?.peak ?? 0;
		await worker.dispose();
		return { minutes, peak };
	}
	throw new Error(`the export isn't finished after ${MAX_STEPS} steps`);
}

/** Which restored tables differ from what was exported. */
const differing = (exported: Manifest, restored: Manifest): string[] =>
	exported.tables
		.filter(
			({ name, file }) =>
				restored.tables.find((each) => each.name === name)?.file.sha256 !== file.sha256,
		)
		.map(({ name }) => name);

/** Flips a bit in the middle of a backup file, and flips it back after the check. */
async function isFlipFound(folder: string, path: string): Promise<boolean> {
	const file = await open(join(folder, path), "r+");
	const byte = Buffer.alloc(1);
	const middle = Math.floor((await file.stat()).size / 2);
	await file.read(byte, 0, 1, middle);
	const flip = () => file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, middle);
	await flip();
	const isFound = await verifyBackup(folder).then(
		() => false,
		(error: unknown) => error instanceof BackupError && error.message.includes(path),
	);
	await file.write(byte, 0, 1, middle);
	await file.close();
	return isFound;
}

/** The whole drill. A figure with a budget of 0 is a fault if it isn't 0. */
export async function benchDrill({ trips, receiptBytes } = LARGE): Promise<readonly Figure[]> {
	const scratch = mkdtempSync(join(tmpdir(), "milepost-drill-"));
	const [state, folder] = [join(scratch, "fleet"), join(scratch, "export")];
	const figures: Figure[] = [];
	const measureTime = async <Result>(
		what: string,
		work: () => Promise<Result>,
	): Promise<Result> => {
		const began = performance.now();
		const result = await work();
		const figure = (performance.now() - began) / 1000;
		figures.push({ what, figure, unit: "s" });
		console.log(`${what}: ${figure.toFixed(1)} s`);
		return result;
	};
	try {
		const today = dateIn(ZONE, Date.now());
		const noon = startOfDay(ZONE, today) + 12 * 3_600_000;
		const drivers = Math.ceil(trips / 100);
		await measureTime("A fleet and its receipts made", async () => {
			await fillFolder(state, noon, { logs: trips, drivers, days: 100, until: addDays(today, -1) });
			await addReceipts(state, receiptBytes);
		});
		const night = await measureTime("Exported by the schedule", () => exportNight(state, noon));
		const store = openStore(state);
		const exports: ReceiptStore = {
			async get(key) {
				const answer = await store.dispatchFetch(`http://store/${encodeURIComponent(key)}`);
				const bytes = new Uint8Array(await answer.arrayBuffer());
				return answer.ok ? bytes : undefined;
			},
			put: () => Promise.reject(new Error("exports are only read")),
		};
		const { manifest } = await measureTime("Fetched, each part checked", () =>
			fetchNightly(exports, folder),
		);
		await store.dispose();
		const place = await openLocalPlace(join(scratch, "restored"));
		// It has started once it answers.
		await place.db.prepare("select 1").all();
		const cost = costMeter();
		await measureTime("Restored and compared", () => rehearse(place, folder, undefined));
		const peak = cost()?.peak ?? 0;
		const copy = join(scratch, "copy");
		const restored = await measureTime("Backed up again", () =>
			writeBackup(place, copy, undefined, () => noon),
		);
		await place.close();
		const trip = manifest.tables.find(({ name }) => name === "mileage_logs");
		const flips = [trip?.file.path ?? "", manifest.receipts[0]?.file.path ?? ""];
		const missed: string[] = [];
		for (const path of flips) if (!(await isFlipFound(folder, path))) missed.push(path);
		const tables = differing(manifest, restored);
		if (tables.length > 0) console.log(`Differ from the export: ${tables.join(", ")}`);
		const files = restored.receipts.filter(
			({ key, file }, at) =>
				manifest.receipts[at]?.key !== key || manifest.receipts[at]?.file.sha256 !== file.sha256,
		);
		const { rows, receipts, bytes } = sizeOf(manifest);
		return [
			...figures,
			{ what: "Trips restored", figure: trip?.rows ?? 0, unit: "rows" },
			{ what: "Rows restored", figure: rows, unit: "rows" },
			{ what: "Receipts restored", figure: receipts, unit: "" },
			{ what: "Size of the export", figure: bytes / 1e6, unit: "MB" },
			{ what: "Steps of a minute", figure: night.minutes, unit: "" },
			{ what: "Worker's process while exporting, at most", figure: night.peak, unit: "MB" },
			{ what: "Database's process while restoring, at most", figure: peak, unit: "MB" },
			{
				what: "This program, at most",
				figure: process.resourceUsage().maxRSS / 1024,
				unit: "MB",
			},
			{ what: "Tables that differ after it", figure: tables.length, unit: "", budget: 0 },
			{ what: "Receipts that differ after it", figure: files.length, unit: "", budget: 0 },
			{ what: "Flipped bytes not found, of 2", figure: missed.length, unit: "", budget: 0 },
		];
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}
