/**
 * What reports of a large fleet cost workerd: 2,000 drivers, 100,000 rows as a workbook and as CSV,
 * 5,000 rows as a PDF.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDays, dateIn } from "../../app/values/calendar-date.ts";
import { idOf, ZONE } from "../../tests/support/cast.ts";
import { ISOLATE_MEGABYTES } from "../heap-limit.ts";
import { drain, measuredWorker } from "../measure.ts";
import { fillFolder } from "./site.ts";
import type { Figure } from "./table.ts";

const DRIVERS = 2000;
const DAYS = 50;
const ROWS = DRIVERS * DAYS;
const PDF_ROWS = 5000;
/** The paid plan's default limit of CPU seconds per request. */
const MAX_SECONDS = 30;

/** Makes a fleet of that size in a folder, and a driver with a year of many trips. */
function seed(state: string, now: number, year: number): Promise<void> {
	const fleet = { drivers: DRIVERS, logs: ROWS, days: DAYS, until: dateIn(ZONE, now) };
	return fillFolder(state, now, fleet, (db) =>
		db
			.prepare(
				`insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, source, created_at, payload_hash, notes)
				with recursive n(k) as (select 0 union all select k + 1 from n where k < ${PDF_ROWS - 1})
				select printf('e0000000-0000-4000-8000-%012d', k), ?, date('${year}-01-01', '+' || (k * 360 / ${PDF_ROWS}) || ' days'), k * 20, k * 20 + 17, 'seed', 1, 'x',
					'Airport run ' || k from n`,
			)
			.bind(idOf("dana"))
			.run(),
	);
}

type Subject = readonly [name: string, path: string, fields: Readonly<Record<string, string>>];

/** One download, from its own Worker. */
async function measure(state: string, [name, path, fields]: Subject): Promise<Figure> {
	const worker = await measuredWorker(state);
	try {
		await (await worker.ask("/reports")).text();
		const before = worker.cost();
		const started = performance.now();
		const answer = await worker.ask(path, fields);
		const { bytes, firstByteAt } = await drain(answer);
		const seconds = (performance.now() - started) / 1000;
		const after = worker.cost();
		const cpu = after && before ? after.seconds - before.seconds : 0;
		const figures =
			after && before
				? `  CPU ${cpu.toFixed(2)} s  process at most +${(after.peak - before.megabytes).toFixed(0)} MB`
				: "";
		console.log(
			`${name.padEnd(44)} ${answer.status}  ${(bytes / 1e6).toFixed(2)} MB in ${seconds.toFixed(2)} s, first byte after ${((firstByteAt - started) / 1000).toFixed(2)} s${figures}`,
		);
		return { what: `${name}, CPU`, figure: cpu * 1000, unit: "ms", budget: MAX_SECONDS * 1000 };
	} catch {
		console.log(`${name.padEnd(44)} stopped: over ${ISOLATE_MEGABYTES} MB of heap`);
		return { what: `${name}, past its heap`, figure: 1, unit: "", budget: 0 };
	} finally {
		await worker.dispose();
	}
}

/** Each report from its own Worker, within the limits of the paid plan. */
export async function benchReports(): Promise<readonly Figure[]> {
	const now = Date.now();
	const today = dateIn(ZONE, now);
	const from = addDays(today, 1 - DAYS);
	const year = Number(today.slice(0, 4)) - 1;
	const report = (name: string, type: string, format: string, startDate: string): Subject => [
		name,
		"/api/reports/generate",
		{ type, format, startDate, endDate: today },
	];
	const subjects: readonly Subject[] = [
		report(`CSV, ${ROWS} rows and ${DRIVERS} drivers`, "driver", "csv", from),
		report(`XLSX, ${ROWS} rows and ${DRIVERS} drivers`, "driver", "excel", from),
		[
			`PDF, ${PDF_ROWS} rows, mileage log`,
			"/reports/mileage-log",
			{ driverId: idOf("dana"), year: String(year), format: "pdf" },
		],
		report("PDF, 4000 rows in 2000 tables, one day", "driver", "pdf", today),
		report("PDF over the row limit, refused", "driver", "pdf", from),
		report("PDF, weekly summary", "weekly", "pdf", addDays(today, -6)),
	];
	const state = mkdtempSync(join(tmpdir(), "milepost-bench-"));
	try {
		await seed(state, now, year);
		console.log(
			`\nReports, each from a Worker that has just started and whose isolates have ${ISOLATE_MEGABYTES} MB of heap; the process holds the database too`,
		);
		const figures: Figure[] = [];
		for (const subject of subjects) figures.push(await measure(state, subject));
		return figures;
	} finally {
		rmSync(state, { recursive: true, force: true });
	}
}
