/**
 * What exporting a million rows costs workerd: they are read a page at a time and written as they
 * are read, never all in memory.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDays, dateIn } from "../../app/values/calendar-date.ts";
import { ZONE } from "../../tests/support/cast.ts";
import { ISOLATE_MEGABYTES } from "../heap-limit.ts";
import { type Cost, drain, measuredWorker } from "../measure.ts";
import { fillFolder } from "./site.ts";
import type { Figure } from "./table.ts";

const LOGS = 1_000_000;

/** One download after another, each from a Worker that has just started. */
export async function benchExports(): Promise<readonly Figure[]> {
	const state = mkdtempSync(join(tmpdir(), "milepost-bench-"));
	try {
		const now = Date.now();
		const until = addDays(dateIn(ZONE, now), -1);
		await fillFolder(state, now, { logs: LOGS, drivers: 20, days: 50, until });
		console.log(
			`\nExports of a fleet with ${LOGS} trips, from isolates with ${ISOLATE_MEGABYTES} MB of heap`,
		);
		const figures: Figure[] = [];
		for (const path of ["/api/mileage?limit=500", "/fund-requests/export.csv", "/api/mileage"])
			figures.push(...(await measure(state, path)));
		return figures;
	} finally {
		rmSync(state, { recursive: true, force: true });
	}
}

async function measure(state: string, path: string): Promise<readonly Figure[]> {
	const worker = await measuredWorker(state);
	const before = worker.cost();
	const started = performance.now();
	const answer = await worker.ask(path);
	// The process's memory over time: flat if it stops rising.
	const held: number[] = [];
	const looks = setInterval(() => held.push(worker.cost()?.megabytes ?? 0), 1500);
	const { bytes, firstByteAt } = await drain(answer);
	clearInterval(looks);
	const seconds = (performance.now() - started) / 1000;
	const after = worker.cost();
	await worker.dispose();
	const more = (megabytes: number) => `+${(megabytes - (before?.megabytes ?? 0)).toFixed(0)}`;
	const memory =
		before && after
			? `  process at most ${more(after.peak)} MB, every 1.5 s ${held.map(more).join(" ")}`
			: "";
	console.log(
		`${path.padEnd(28)} ${answer.status}  ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s, first byte after ${((firstByteAt - started) / 1000).toFixed(2)} s${memory}`,
	);
	return [
		{ what: `${path}, read`, figure: seconds * 1000, unit: "ms" },
		{ what: `${path}, first byte`, figure: firstByteAt - started, unit: "ms" },
		{ what: path, figure: bytes, unit: "bytes" },
		{ what: `${path}, memory more at most`, figure: peakBytes(before, after), unit: "bytes" },
	];
}

/** The process's peak memory beyond that at the start, in bytes. */
const peakBytes = (before: Cost | undefined, after: Cost | undefined) =>
	before && after ? (after.peak - before.megabytes) * 1024 * 1024 : 0;
