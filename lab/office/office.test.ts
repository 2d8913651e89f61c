/**
 * Every file about money, opened by LibreOffice: it reads what is in the file, cell by cell, and
 * nothing typed is run. `npm run check:office`.
 */
import Papa from "papaparse";
import { afterAll, expect, it } from "vitest";
import { readPdf, readXlsx } from "../../tests/support/report-files.ts";
import { openFleet } from "../../tests/support/worker.ts";
import { ACCOUNT, DIGITS, filesOf, TEXTS } from "./awkward-fleet.ts";
import { cellsOf, type Files, formulasIn, Office, OPENED, type ReadCell } from "./soffice.ts";

const fleet = await openFleet({ reportLimit: { limit: 1000, period: 60 } });
const office = new Office();
const files = await filesOf(fleet);
const ending = (end: string): Files => new Map([...files].filter(([name]) => name.endsWith(end)));
const [csv, workbooks, pdfs] = [ending(".csv"), ending(".xlsx"), ending(".pdf")];
const asWorkbook = (name: string) => name.replace(/\.csv$/, ".xlsx");

const counted = { cells: 0, numbers: 0, dates: 0, texts: 0 };
afterAll(() => {
	office.close();
	console.log(
		`LibreOffice: ${csv.size} CSV files, ${workbooks.size} workbooks, ${pdfs.size} PDFs; ${JSON.stringify(counted)}`,
	);
});

/** The cells of a CSV file by RFC 4180; a line break in a cell is one character, as in a cell. */
function cellsIn(bytes: Uint8Array): string[][] {
	const { data, errors } = Papa.parse<string[]>(new TextDecoder().decode(bytes), {
		delimiter: ",",
		newline: "\r\n",
	});
	expect(errors).toEqual([]);
	return data.map((row) => row.map((cell) => cell.replaceAll("\r\n", "\n")));
}
/** Rows without empty cells at their ends, and without empty rows at the end. */
function trimmed<Cell>(rows: readonly (readonly Cell[])[], isEmpty: (cell: Cell) => boolean) {
	const cut = rows.map((row) => row.slice(0, row.findLastIndex((cell) => !isEmpty(cell)) + 1));
	return cut.slice(0, cut.findLastIndex((row) => row.length > 0) + 1);
}
const readRows = (rows: readonly (readonly ReadCell[])[]) =>
	trimmed(rows, (cell) => cell === null || cell === "");

/** As our code writes numbers, so that nothing typed is mistaken for one. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;
/** What a cell is read as if nothing says it is text. */
function meant(cell: string): ReadCell {
	if (cell === "") return null;
	if (NUMBER.test(cell)) return Number(cell);
	if (/^\d{4}-\d\d-\d\d$/.test(cell)) return new Date(`${cell}T00:00:00Z`);
	const moment = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(cell);
	if (moment) return new Date(`${moment[1]}T${moment[2]}${moment[3] ?? ":00"}Z`);
	// CSV has no types (docs/decisions/0068), and a spreadsheet's numbers have 15 digits.
	if ([...DIGITS, ACCOUNT].includes(cell)) return Number(Number(cell).toPrecision(15));
	return cell;
}

/** What was opened must have as many rows and cells, each as intended. */
function compare(name: string, read: readonly (readonly ReadCell[])[], expected: ReadCell[][]) {
	const [found, wanted] = [readRows(read), readRows(expected)];
	expect(found.length, `${name}: rows`).toBe(wanted.length);
	for (const [at, row] of wanted.entries()) {
		expect(found[at], `${name}: row ${at + 1}`).toEqual(row);
		for (const cell of row) {
			counted.cells += 1;
			if (typeof cell === "number") counted.numbers += 1;
			else if (cell instanceof Date) counted.dates += 1;
			else if (cell !== null) counted.texts += 1;
		}
	}
}

it("reads every CSV file as offered: numbers, dates and texts, and no formula", async () => {
	const opened = await office.convert(csv, "xlsx", OPENED.asOffered);
	for (const [name, bytes] of csv) {
		const workbook = opened.get(asWorkbook(name)) ?? new Uint8Array();
		expect(formulasIn(workbook), name).toEqual([]);
		const [sheet] = await cellsOf(workbook);
		compare(
			name,
			sheet?.rows ?? [],
			cellsIn(bytes).map((row) => row.map(meant)),
		);
	}
});

it("reads every cell of every CSV file unchanged when it takes columns as text", async () => {
	const opened = await office.convert(csv, "xlsx", OPENED.asText);
	for (const [name, bytes] of csv) {
		const [sheet] = await cellsOf(opened.get(asWorkbook(name)) ?? new Uint8Array());
		compare(
			name,
			sheet?.rows ?? [],
			cellsIn(bytes).map((row) => row.map((cell) => cell || null)),
		);
	}
});

it("keeps typed digits, and reads American dates, with the import's two ticks", async () => {
	const opened = await office.convert(csv, "xlsx", OPENED.withTicks);
	const cells = async (name: string) => {
		const workbook = opened.get(name) ?? new Uint8Array();
		expect(formulasIn(workbook)).toEqual([]);
		return (await cellsOf(workbook))[0]?.rows.flat() ?? [];
	};
	const found = await cells("payout-requests.xlsx");
	for (const digits of DIGITS) expect(found).toContain(digits);
	expect(await cells("payout-quickbooks.xlsx")).toContainEqual(expect.any(Date));
});

it("opens every workbook with its types and texts, saves it, and shows no cell as ###", async () => {
	const saved = await office.convert(workbooks, "xlsx");
	const shown = await office.convert(workbooks, "csv");
	const printed = await office.convert(workbooks, "pdf");
	expect(shown.size).toBeGreaterThan(workbooks.size);
	for (const [name, text] of shown)
		expect(new TextDecoder().decode(text), name).not.toMatch(
			/###|Err:\d|#(?:NAME|VALUE|REF)[?!]\s*$/m,
		);
	for (const [name, bytes] of workbooks) {
		const workbook = saved.get(name) ?? new Uint8Array();
		expect(formulasIn(workbook), name).toEqual([]);
		const [ours, theirs] = [await cellsOf(bytes), await cellsOf(workbook)];
		expect(theirs.map((sheet) => sheet.name)).toEqual(ours.map((sheet) => sheet.name));
		for (const [at, { rows, name: sheet }] of ours.entries())
			compare(`${name}, ${sheet}`, theirs[at]?.rows ?? [], rows as ReadCell[][]);
		const pdf = printed.get(name.replace(/\.xlsx$/, ".pdf")) ?? new Uint8Array();
		expect((await readPdf(pdf)).text, name).not.toContain("###");
	}
});

it("has every typed text in a workbook as it was typed", async () => {
	const cells = new Set<unknown>();
	for (const [name, bytes] of workbooks)
		if (/tax-year/.test(name))
			for (const { rows } of await readXlsx(bytes)) for (const cell of rows.flat()) cells.add(cell);
	for (const text of [...TEXTS, ...DIGITS]) expect(cells).toContain(text);
});

it("prints every CSV file, and finds every PDF of ours valid", async () => {
	const printed = await office.convert(csv, "pdf", OPENED.asOffered);
	expect(printed.size).toBe(csv.size);
	for (const [name, bytes] of pdfs) {
		expect(await office.faultsInPdf(name, bytes), name).toBe("");
		expect((await readPdf(bytes)).pages.length).toBeGreaterThan(0);
	}
});
