/**
 * Writes large reports with as little memory as Node can be told to have: `node --max-old-space-size=64 ...`. workerd on this machine lets an
 * isolate's heap grow as it likes, so what stays below Cloudflare's 128 MB is shown here.
 */
import { readFileSync } from "node:fs";
import type { ReportDocument, Row } from "../app/domain/reports/document.ts";
import { DRIVER_COLUMNS, FIGURE_COLUMNS } from "../app/domain/reports/figures.ts";
import { csvOf } from "../app/domain/reports/formats/csv.ts";
import { pdfOf } from "../app/domain/reports/formats/pdf.ts";
import { xlsxOf } from "../app/domain/reports/formats/xlsx.ts";
import { addDays, type CalendarDate } from "../app/values/calendar-date.ts";

const FIRST = "2026-01-01" as CalendarDate;

function* pagesOf(count: number): Generator<readonly Row[]> {
	for (let start = 0; start < count; start += 2500)
		yield Array.from({ length: Math.min(2500, count - start) }, (_, each) => {
			const [driver, day] = [Math.floor((start + each) / 50), (start + each) % 50];
			return [`DRV-${driver}`, `Łena Nguyễn ${driver}`, addDays(FIRST, day), 1, 100 + day, start + each, each * 31, start, each, 85];
		});
}

const documentOf = (count: number): ReportDocument => ({
	title: "Driver Breakdown",
	facts: [["Fleet", "Milepost"]],
	sections: [
		{
			title: "By Driver and Day",
			columns: [...DRIVER_COLUMNS, { head: "Date", kind: "date", width: 12 }, ...FIGURE_COLUMNS],
			pages: () => pagesOf(count),
			group: { columns: 2 },
			totals: (sums) => ["Total", null, null, ...sums.slice(3)],
			empty: "",
		},
	],
	author: "Milepost",
	madeAt: Date.UTC(2026, 10, 21),
});

async function sizeOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
	let size = 0;
	for await (const { byteLength } of pieces) size += byteLength;
	return size;
}

const fontAt = (name: string) => new Uint8Array(readFileSync(`node_modules/dejavu-fonts-ttf/ttf/${name}.ttf`));
const writers: readonly (readonly [name: string, write: () => Promise<number>])[] = [
	["CSV, 100000 rows", () => sizeOf(csvOf(documentOf(100_000)))],
	["XLSX, 100000 rows", () => sizeOf(xlsxOf(documentOf(100_000)))],
	[
		"PDF, 5000 rows in 100 tables",
		async () =>
			(await pdfOf(documentOf(5000), "a4", { regular: fontAt("DejaVuSansCondensed"), bold: fontAt("DejaVuSansCondensed-Bold") }))
				.byteLength,
	],
];
for (const [name, write] of writers) {
	const before = process.cpuUsage();
	const bytes = await write();
	const { user, system } = process.cpuUsage(before);
	console.log(`${name.padEnd(44)} ${(bytes / 1e6).toFixed(2)} MB  CPU ${((user + system) / 1e6).toFixed(2)} s`);
}
