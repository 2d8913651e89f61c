/**
 * Compares a report's file with its expected contents: each format is read back and compared cell
 * by cell.
 */
import { expect } from "vitest";
import type { Expected, Value } from "./expected-reports.ts";
import { describeDate } from "./fleet-days.ts";
import { readCsv, readPdf, readXlsx } from "./report-files.ts";

/** A value as printed in a PDF. */
export const money = (cents: number) =>
	`${cents < 0 ? "-" : ""}$${(Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const printed = (kind: string, value: Value) => {
	if (value === null) return "";
	if (typeof value === "string")
		return kind === "d" && /^\d{4}-/.test(value) ? describeDate(value) : value;
	if (kind === "c") return money(value);
	if (kind === "s" || kind === "x")
		return `${kind === "x" && value > 0 ? "+" : ""}${(value / 10).toFixed(1)}%`;
	return value.toLocaleString("en-US");
};

/** The value of a workbook's or CSV file's cell. */
function fromSheet(kind: string, cell: unknown): Value {
	if (cell === null || cell === undefined) return null;
	if (cell instanceof Date) return cell.toISOString().slice(0, 10);
	if (typeof cell === "number")
		return Math.round(cell * (kind === "c" ? 100 : "sx".includes(kind) ? 1000 : 1));
	return String(cell);
}
function fromCsv(kind: string, cell: string | undefined): Value {
	if (cell === undefined || cell === "") return null;
	if ("ncsx".includes(kind) && /^-?\d+(\.\d+)?$/.test(cell)) {
		expect(cell).toMatch(kind === "n" ? /^\d+$/ : kind === "c" ? /^\d+\.\d\d$/ : /^-?\d+\.\d$/);
		return Math.round(Number(cell) * (kind === "c" ? 100 : "sx".includes(kind) ? 10 : 1));
	}
	return cell.replace(/^'(?==)/, "");
}

const emptyToNull = (rows: readonly (readonly Value[])[]) =>
	rows.map((row) => row.map((value) => (value === "" ? null : value)));

/**
 * Expects every section to have these titles and rows, in this order.
 * @param format as the API names it: `pdf`, `csv` or `excel`
 */
export async function expectAgreement(
	bytes: Uint8Array,
	format: string,
	expected: readonly Expected[],
): Promise<void> {
	if (format === "excel") {
		const sheets = await readXlsx(bytes);
		expect(sheets.map(({ name }) => name)).toEqual([
			"Report",
			...expected.map(({ title }) => title),
		]);
		for (const { title, kinds, rows } of expected) {
			const found = sheets.find(({ name }) => name === title)?.rows.slice(1) ?? [];
			expect(
				found.map((row) => kinds.map((kind, position) => fromSheet(kind, row[position]))),
				title,
			).toEqual(emptyToNull(rows));
			for (const row of found.slice(0, -1))
				for (const [position, kind] of kinds.entries()) {
					if (kind === "d") expect(row[position]).toBeInstanceOf(Date);
					if ("nc".includes(kind)) expect(typeof row[position]).toBe("number");
				}
		}
	} else if (format === "csv") {
		const { sections } = readCsv(bytes);
		expect([...sections.keys()]).toEqual(expected.map(({ title }) => title));
		for (const { title, kinds, rows } of expected) {
			const found = (sections.get(title) ?? []).slice(-rows.length);
			expect(
				found.map((row) => kinds.map((kind, position) => fromCsv(kind, row[position]))),
				title,
			).toEqual(emptyToNull(rows));
		}
	} else {
		const { text } = await readPdf(bytes);
		for (const { title, kinds, rows } of expected) {
			expect(text).toContain(title);
			// In a PDF, each driver has a separate table headed by their name.
			const skipped = title === "By Driver and Day" ? 2 : 0;
			for (const row of rows) {
				const isTotal = row[0] === "Total" && skipped > 0;
				const cells = isTotal ? ["Total", ...row.slice(skipped + 1)] : row.slice(skipped);
				const shown = cells.map((value, position) =>
					printed(kinds[position + skipped] ?? "t", value),
				);
				expect(text, title).toContain(shown.filter((each) => each !== "").join(" "));
			}
			if (skipped > 0)
				for (const [code, name] of rows.slice(0, -1))
					expect(text).toContain(code ? `${code} · ${name}` : String(name));
		}
	}
}
