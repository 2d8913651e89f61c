import fc from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import {
	bytesOf,
	fonts,
	readCsv,
	readPdf,
	readXlsx,
} from "../../../../tests/support/report-files.ts";
import { DEFAULT_UNITS, setFleetUnits } from "../../../values/fleet-units.ts";
import {
	type Cell,
	type Column,
	formatCell,
	MAX_PDF_ROWS,
	percent,
	type ReportDocument,
	type Row,
	type Section,
	toTenthsOfPercent,
} from "../document.ts";
import { writeCsv } from "./csv.ts";
import { TooManyRowsError, writePdf } from "./pdf.ts";
import { roundUpToNice } from "./pdf-chart.ts";
import { writeXlsx } from "./xlsx.ts";
import { cellText } from "./xml.ts";

const COLUMNS: readonly Column[] = [
	{ head: "Driver ID", kind: "text", width: 10 },
	{ head: "Driver", kind: "text", width: 24 },
	{ head: "Date", kind: "date", width: 12 },
	{ head: "Recorded", kind: "moment", width: 16 },
	{ head: "Miles", kind: "number", width: 9 },
	{ head: "Fuel", kind: "cents", width: 12 },
	{ head: "Share", kind: "share", width: 8 },
	{ head: "Change", kind: "change", width: 8 },
];
const NAMES = [
	"Łena Nguyễn",
	"Дмитрий Иванов",
	"Ελένη Παπαδοπούλου",
	"Trần Thị Hồng Đặng",
	"Zoë O'Neil & <Sons>",
];
const rowsOf = (count: number): Row[] =>
	Array.from({ length: count }, (_, each) => [
		`DRV-${String(1 + Math.floor(each / 31)).padStart(4, "0")}`,
		NAMES[Math.floor(each / 31) % NAMES.length] ?? "",
		`2026-10-${String(1 + (each % 31)).padStart(2, "0")}`,
		"2026-10-31 14:05",
		100 + each,
		123_456 + each,
		333,
		each % 2 ? -52 : 125,
	]);
const totals = (sums: readonly number[]): Row => [
	"Total",
	null,
	null,
	null,
	sums[4] ?? 0,
	sums[5] ?? 0,
	null,
	null,
];

const section = (rows: readonly Row[], more: Partial<Section> = {}): Section => ({
	title: "Drivers",
	columns: COLUMNS,
	pages: () => [rows.slice(0, 7), [], rows.slice(7)],
	totals,
	empty: "No activity in this period",
	...more,
});
const documentOf = (...sections: Section[]): ReportDocument => ({
	title: "Driver Breakdown",
	facts: [
		["Fleet", "Milepost"],
		["Period", "Oct 1, 2026 to Oct 31, 2026"],
	],
	sections,
	author: "Milepost",
	madeAt: Date.UTC(2026, 9, 31, 18, 5),
});
const sumOf = (rows: readonly Row[], position: number) =>
	rows.reduce((sum, row) => sum + Number(row[position]), 0);

describe("a workbook", () => {
	it("has a summary sheet and one per section, with typed cells and matching totals", async () => {
		const rows = rowsOf(40);
		const sheets = await readXlsx(
			await bytesOf(writeXlsx(documentOf(section(rows), section([], { title: "Fees" })))),
		);
		expect(sheets.map(({ name }) => name)).toEqual(["Report", "Drivers", "Fees"]);
		expect(sheets[0]?.rows.slice(0, 4)).toEqual([
			["Driver Breakdown", null],
			[null, null],
			["Fleet", "Milepost"],
			["Period", "Oct 1, 2026 to Oct 31, 2026"],
		]);
		const [head, first, ...rest] = sheets[1]?.rows ?? [];
		expect(head).toEqual(COLUMNS.map((column) => column.head));
		expect(first).toEqual([
			"DRV-0001",
			"Łena Nguyễn",
			new Date("2026-10-01T00:00:00Z"),
			new Date("2026-10-31T14:05:00Z"),
			100,
			1234.56,
			0.333,
			0.125,
		]);
		expect(rest).toHaveLength(40);
		expect(rest.at(-1)).toEqual([
			"Total",
			null,
			null,
			null,
			sumOf(rows, 4),
			sumOf(rows, 5) / 100,
			null,
			null,
		]);
		expect(sheets[2]?.rows[1]?.[0]).toBe("No activity in this period");
	});

	it("has 1900-system dates, a header as high as its two lines, and signature lines", async () => {
		const signature = {
			statement: "I certify that this log is true and complete.",
			lines: ["Signature", "Date"],
		};
		const parts = unzipSync(
			await bytesOf(writeXlsx({ ...documentOf(section(rowsOf(2))), signature })),
		);
		const texts = new Map(Object.entries(parts).map(([name, bytes]) => [name, strFromU8(bytes)]));
		const sheet = texts.get("xl/worksheets/sheet2.xml") ?? "";
		expect(sheet).toContain('<row r="1" ht="32" customHeight="1">');
		// 2026-10-01 and 2026-10-31 14:05, counted from 1900-01-01 as 1, including the leap day that
		// 1900 didn't have.
		expect(sheet).toMatch(/<c r="C2" s="\d+"><v>46296<\/v><\/c><c r="D2" s="\d+"><v>46326\.58680/);
		expect(texts.get("xl/workbook.xml")).not.toContain("date1904");
		const cover = texts.get("xl/worksheets/sheet1.xml") ?? "";
		expect(cover).toMatch(
			/<row r="(\d+)"><c r="A\1" s="19"[^>]*><is><t xml:space="preserve">I certify/,
		);
		expect(cover.match(/<row r="\d+" ht="32" customHeight="1">/g)).toHaveLength(2);
	});

	it("continues on another sheet when one is full, and loses no row", async () => {
		for (const count of [1, 7, 8, 9, 16, 17, 40]) {
			const rows = rowsOf(count);
			const sheets = (
				await readXlsx(await bytesOf(writeXlsx(documentOf(section(rows)), 10)))
			).slice(1);
			for (const { rows: lines } of sheets) {
				expect(lines[0]).toEqual(COLUMNS.map((column) => column.head));
				expect(lines.length).toBeLessThanOrEqual(10);
			}
			const read = sheets.flatMap(({ rows: lines }) => lines.slice(1));
			expect(read.filter(([code]) => code !== "Total").map(([, , , , miles]) => miles)).toEqual(
				rows.map((row) => row[4]),
			);
			expect(read.at(-1)?.[4]).toBe(sumOf(rows, 4));
			expect(new Set(sheets.map(({ name }) => name)).size).toBe(sheets.length);
		}
	});

	it("stores any text that can be typed, and never a formula", async () => {
		const texts = fc.array(fc.string({ unit: "binary", maxLength: 60 }), {
			minLength: 1,
			maxLength: 20,
		});
		await fc.assert(
			fc.asyncProperty(texts, async (list) => {
				const wild = [
					"=1+1",
					"_x0041_",
					"a\u0000b\ufffe",
					"\ud800x",
					"  spaces  ",
					"x".repeat(40_000),
					...list,
				];
				const rows = wild.map((text): Row => ["A", text, "2026-10-01", null, 1, 1, null, null]);
				const sheets = await readXlsx(await bytesOf(writeXlsx(documentOf(section(rows)))));
				expect(sheets[1]?.rows).toHaveLength(rows.length + 2);
				expect(sheets[1]?.rows.slice(1, 3).map(([, text]) => text)).toEqual([
					"=1+1",
					expect.stringMatching(/^_x(0041|005F_x0041)_$/),
				]);
			}),
			{ numRuns: 20 },
		);
		expect(cellText("_x0041_")).toBe("_x005F_x0041_");
		expect(cellText("a\u0000b\ufffe\ud800<&>")).toBe("ab&lt;&amp;&gt;");
		expect(cellText("😀".repeat(20_000))).toHaveLength(32_766);
	});
});

describe("a CSV", () => {
	it("states the facts, then every section under its own header, numbers as numbers", async () => {
		const rows: Row[] = [
			["=HYPERLINK(1)", 'two\nlines, and "quotes"', "2026-10-01", null, 1234, 100_050, 333, -52],
		];
		const { facts, sections } = readCsv(
			await bytesOf(
				writeCsv(
					documentOf(section(rows, { note: "One line each." }), section([], { title: "Fees" })),
				),
			),
		);
		expect(facts).toEqual([
			["Driver Breakdown"],
			["Fleet", "Milepost"],
			["Period", "Oct 1, 2026 to Oct 31, 2026"],
		]);
		const lines = sections.get("Drivers") ?? [];
		expect(lines[1]).toEqual([
			"Driver ID",
			"Driver",
			"Date",
			"Recorded",
			"Miles",
			"Fuel",
			"Share (%)",
			"Change (%)",
		]);
		expect(lines[2]).toEqual([
			"'=HYPERLINK(1)",
			'two\nlines, and "quotes"',
			"2026-10-01",
			"",
			"1234",
			"1000.50",
			"33.3",
			"-5.2",
		]);
		expect(lines[3]?.slice(0, 6)).toEqual(["Total", "", "", "", "1234", "1000.50"]);
		expect(sections.get("Fees")?.at(-1)).toEqual(["No activity in this period"]);
	});
});

describe("a PDF", () => {
	it("shows every row and total as selectable text, with headers and page numbers on every page", async () => {
		const rows = rowsOf(120);
		const chart = {
			alt: "Fuel by day",
			unit: "cents" as const,
			series: ["Fuel"],
			bars: [{ label: "Oct 1", values: [123_456] }],
		};
		for (const paper of ["a4", "letter"] as const) {
			const { pages, text, info, language } = await readPdf(
				await writePdf(documentOf(section(rows, { chart })), paper, fonts()),
			);
			expect(pages.length).toBeGreaterThan(2);
			for (const [position, page] of pages.entries()) {
				expect(page).toContain(`Page ${position + 1} of ${pages.length}`);
				expect(page).toContain("Driver ID");
			}
			for (const row of rows)
				expect(text).toContain(`${row[0]} ${row[1]} Oct ${Number(String(row[2]).slice(8))}, 2026`);
			for (const row of rows) expect(text).toContain(formatCell("cents", row[5]));
			expect(text).toContain(
				`Total ${formatCell("number", sumOf(rows, 4))} ${formatCell("cents", sumOf(rows, 5))}`,
			);
			expect(info).toMatchObject({ Title: "Driver Breakdown", Author: "Milepost" });
			expect(language).toBe("en-US");
		}
	});

	it("gives every group of rows its own heading and total", async () => {
		const rows = rowsOf(62);
		const { text } = await readPdf(
			await writePdf(documentOf(section(rows, { group: { columns: 2 } })), "a4", fonts()),
		);
		for (const [code, from] of [
			["DRV-0001", 0],
			["DRV-0002", 31],
		] as const) {
			const own = rows.slice(from, from + 31);
			expect(text).toContain(`${code} · ${own[0]?.[1]}`);
			expect(text).toContain(
				`Total ${formatCell("number", sumOf(own, 4))} ${formatCell("cents", sumOf(own, 5))}`,
			);
		}
		expect(text).toContain(
			`Total ${formatCell("number", sumOf(rows, 4))} ${formatCell("cents", sumOf(rows, 5))}`,
		);
	});

	it("puts no column headings above a total of one figure", async () => {
		const columns = [...COLUMNS.slice(0, 3), COLUMNS[5] as Column];
		const rows = rowsOf(4).map((row): Row => [...row.slice(0, 3), row[5] ?? 0]);
		const payout = section(rows, {
			columns,
			group: { columns: 2 },
			totals: (sums) => ["Total", null, null, sums.at(-1) ?? 0],
		});
		const { text } = await readPdf(await writePdf(documentOf(payout), "a4", fonts()));
		expect(text).toContain(`Drivers: total Total ${formatCell("cents", sumOf(rows, 3))}`);
	});

	it("repeats a continued group's name, and keeps headings and signatures with their total", async () => {
		const signature = { statement: "I certify.", lines: ["Signature", "Date"] };
		let goneOn = 0;
		for (let count = 24; count <= 36; count++) {
			const rows = rowsOf(count).map(([, , ...row]): Row => ["DRV-0002", "Omar Okafor", ...row]);
			const grouped = await readPdf(
				await writePdf(documentOf(section(rows, { group: { columns: 2 } })), "letter", fonts()),
			);
			const all = `Drivers: total Date Recorded Miles Fuel Share Change Total ${formatCell("number", sumOf(rows, 4))}`;
			expect(grouped.pages.filter((page) => page.includes(all))).toHaveLength(1);
			for (const page of grouped.pages.slice(1))
				if (page.includes("2:05 PM"))
					expect(page).toMatch(/^DRV-0002 · Omar Okafor( \(continued\))? Date Recorded/);
			goneOn += grouped.text.split("(continued)").length - 1;
			const trips = section(rows, {
				columns: COLUMNS.slice(2),
				pages: () => [rows.map((row) => row.slice(2))],
				totals: (sums) => totals([0, 0, ...sums]).slice(2),
			});
			const signed = await readPdf(
				await writePdf({ ...documentOf(trips), signature }, "letter", fonts()),
			);
			const last = signed.pages.find((page) => page.includes("I certify."));
			expect(last).toContain(
				` ${formatCell("number", sumOf(rows, 4))} ${formatCell("cents", sumOf(rows, 5))}`,
			);
			expect(last).toContain(formatCell("cents", rows.at(-1)?.[5]));
		}
		expect(goneOn).toBeGreaterThan(0);
	});

	it("never breaks a number, grouped, however large", async () => {
		const change: Column = { head: "Change", kind: "change", width: 10 };
		const wide: Section = section([], {
			columns: [
				{ head: "Expense", kind: "text", width: 40 },
				{ head: "This Period", kind: "cents", width: 16 },
				{ head: "Previous Period", kind: "cents", width: 16 },
				change,
			],
			pages: () => [
				[
					["Fuel Expenses", 123_456_789_012, 1, 123_456_789_011_000],
					["Uber Fees", 0, 999_999_999_999, -1000],
					["Other Requests", 1, 0, null],
				],
			],
			totals: ([, now = 0, before = 0]) => ["Total", now, before, 1_234_567_890_120],
		});
		const many = section([
			[
				"DRV-0001",
				NAMES[1] ?? "",
				"2026-10-01",
				null,
				1_234_567_890,
				98_765_432_109_876,
				333,
				123_456_789_011_000,
			],
		]);
		for (const paper of ["letter", "a4"] as const) {
			const { text } = await readPdf(await writePdf(documentOf(wide), paper, fonts()));
			for (const shown of [
				"$1,234,567,890.12",
				"$9,999,999,999.99",
				"-100.0%",
				"+12,345,678,901,100.0%",
				"+123,456,789,012.0%",
				"n/a",
			])
				expect(text).toContain(shown);
			const other = await readPdf(await writePdf(documentOf(many), paper, fonts()));
			for (const shown of [
				"1,234,567,890",
				"$987,654,321,098.76",
				"33.3%",
				"+12,345,678,901,100.0%",
			])
				expect(other.text).toContain(shown);
		}
	});

	it("never breaks a word of a heading, in kilometers either", async () => {
		const kind = "number";
		const narrow = section([], {
			columns: [
				{ head: "Date", kind: "date", width: 12 },
				{ head: "Miles", kind, width: 8 },
				{ head: "Notes", kind: "text", width: 90 },
				{ head: "Cost per Mile", kind: "cents", width: 9 },
				{ head: "Business", kind, width: 7 },
			],
			pages: () => [[["2026-10-01", 45, "Airport run", 12, 45]]],
			totals: () => ["Total", 45, null, 12, 45],
		});
		setFleetUnits({ currency: "EUR", distanceUnit: "km" });
		try {
			for (const paper of ["letter", "a4"] as const) {
				const { text } = await readPdf(await writePdf(documentOf(narrow), paper, fonts()));
				expect(text).toContain("Kilometers Notes Cost per Kilometer Business");
			}
		} finally {
			setFleetUnits(DEFAULT_UNITS);
		}
	});

	const REST = ["2026-10-01", null, 1, 1, 1, 1] as const;
	const pdfOf = (rows: Row[]) => writePdf(documentOf(section(rows)), "a4", fonts());

	it("shows Latin, Cyrillic, Greek and Vietnamese names", async () => {
		const named = (name: string) =>
			writePdf(
				documentOf(section([["DRV-0001", name, "2026-10-01", null, 1, 1, 1, 1]])),
				"a4",
				fonts(),
			);
		const { text } = await readPdf(await named(NAMES.join(" / ")));
		for (const name of NAMES.flatMap((each) => each.split(" "))) expect(text).toContain(name);
		expect(text).not.toContain("This PDF's fonts lack");
	});

	const LIMITS = "This PDF's fonts lack some characters";

	it.each([
		["Chinese", "李小龙 Bruce"],
		["Japanese", "山田 タロウ"],
		["Korean", "김철수"],
		["Thai", "สมชาย ใจดี"],
		["Hindi", "कमल नयन"],
		["an emoji", "Fuel ⛽ 🚗"],
	])("writes %s in a fallback font", async (_, name) => {
		const { text } = await readPdf(await pdfOf([["DRV-0001", name, ...REST]]));
		expect(text.replace(/\s/g, "")).toContain(name.replace(/\s/g, ""));
		expect(text).not.toContain(LIMITS);
	});

	it("puts a driver's code in the place of what no font can write, and says so", async () => {
		const typed = (text: string): Cell => ({ text, otherwise: "DRV-0007" });
		const { text } = await readPdf(
			await pdfOf([
				["A", typed("ᠮᠣᠩᠭᠣᠯ"), ...REST],
				["B", typed("Zoë"), ...REST],
				["C", "x ᠮ y", ...REST],
			]),
		);
		expect(text).toContain("A DRV-0007 ");
		expect(text).toContain("B Zoë ");
		expect(text).toContain("C x ? y ");
		expect(text).toContain(
			`${LIMITS}: where a name or note has them, the driver ID stands in its place, and "?" stands for one of them.`,
		);
		expect(text).not.toContain("□");
	});

	it("writes right-to-left text inside a line in reading order", async () => {
		for (const name of ["Fuel محمد 25 km", "محمد Fuel", "דנה (Dana) כהן", "Fuel (דנה) 12.50"]) {
			const { text } = await readPdf(await pdfOf([["DRV-0001", name, ...REST]]));
			for (const word of name.split(" ")) expect(text, name).toContain(word.replace(/[()]/g, ""));
		}
	});

	it.each([
		[14, 1, 1],
		[30, 1, 1],
		[40, 1, 30],
		[12, 2, 12],
		[25, 3, 5],
	])(
		"never ends a page with a heading, whatever follows it: %i drivers of %i rows of %i words",
		async (drivers, rows, words) => {
			const section = (drivers: number, rows: number, words: number): Section => ({
				title: "Requests",
				columns: [
					{ head: "Driver", kind: "text", width: 20 },
					{ head: "Request ID", kind: "text", width: 14 },
					{ head: "Description", kind: "text", width: 30 },
					{ head: "Amount", kind: "cents", width: 14 },
				],
				pages: () => [
					Array.from({ length: drivers * rows }, (_, at): Row => {
						const driver = Math.floor(at / rows) + 1;
						return [`Driver ${driver}.`, `FR-${at}`, "brakes ".repeat(words), 100];
					}),
				],
				totals: (sums) => ["Total", null, null, sums.at(-1) ?? 0],
				group: { columns: 1 },
				empty: "None",
			});
			for (const before of [0, 1, 2, 3, 5, 8, 13]) {
				const first = section(1, before + 1, 3);
				const { pages } = await readPdf(
					await writePdf(
						{
							...documentOf(first),
							sections: [first, section(drivers, rows, words)],
							...(before % 2 ? { signature: { statement: "I agree.", lines: ["Name"] } } : {}),
						},
						"letter",
						fonts(),
					),
				);
				for (const page of pages)
					expect(page, `${drivers} ${rows} ${words} ${before}`).not.toMatch(
						/(Driver \d+\.|Requests|Requests: total|Amount) (Driver Breakdown )?Page \d+ of \d+$/,
					);
			}
		},
	);

	it("accepts any text", async () => {
		const wild = fc.array(fc.string({ unit: "binary", maxLength: 80 }), {
			minLength: 1,
			maxLength: 30,
		});
		await fc.assert(
			fc.asyncProperty(wild, async (list) => {
				const texts = [
					"a\u0000b",
					"\ud800",
					"",
					"محمد علي",
					"W".repeat(5000),
					"🦊".repeat(300),
					...list,
				];
				const rows = texts.map((text): Row => ["A", text, "2026-10-01", null, 1, 1, null, null]);
				const bytes = await writePdf(documentOf(section(rows)), "letter", fonts());
				expect((await readPdf(bytes)).text).toContain(
					`Total ${rows.length} $0.${String(rows.length).padStart(2, "0")}`,
				);
			}),
			{ numRuns: 4 },
		);
	});

	it("has at most 5,000 rows", async () => {
		const lean = COLUMNS.slice(4, 5);
		const doc = (count: number) => ({
			...documentOf(
				section(
					Array.from({ length: count }, (): Row => [1]),
					{ columns: lean, totals: ([sum = 0]) => [sum] },
				),
			),
			rowCount: count,
		});
		await expect(writePdf(doc(MAX_PDF_ROWS + 1), "a4", fonts())).rejects.toThrow(TooManyRowsError);
		expect((await readPdf(await writePdf(doc(MAX_PDF_ROWS), "a4", fonts()))).text).toContain(
			"5,000",
		);
	});
});

it("rounds shares once, half up", () => {
	expect([
		toTenthsOfPercent(1, 3),
		toTenthsOfPercent(2, 3),
		toTenthsOfPercent(1, 2000),
		toTenthsOfPercent(0, 5),
		toTenthsOfPercent(5, 0),
	]).toEqual([333, 667, 1, 0, null]);
	expect([percent(333), percent(1000), percent(5), percent(-52)]).toEqual([
		"33.3%",
		"100.0%",
		"0.5%",
		"-5.2%",
	]);
	expect([percent(9_999), percent(10_000), percent(-12_345_678)]).toEqual([
		"999.9%",
		"1,000.0%",
		"-1,234,567.8%",
	]);
	expect([0, 1, 3, 12, 26, 99, 100, 101].map(roundUpToNice)).toEqual([
		1, 1, 5, 20, 50, 100, 100, 200,
	]);
});
