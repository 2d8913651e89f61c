/** Where a table starts, and the text of a file however it was saved. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streamOf } from "../../../tests/support/statements.ts";
import { RowSplitter } from "./records.ts";
import { findTable } from "./table-start.ts";
import { openText } from "./text.ts";

const HEADER = ["Driver", "Category", "Amount", "Date"];
const start = (text: string) => {
	const found = findTable(text, true);
	return (
		found && { row: found.headerRow, separator: found.dialect.separator, header: found.header }
	);
};

describe("the start of a table", () => {
	it.each([
		["the first row", "Driver,Category,Amount,Date\nDana,commission,12.34,2026-09-21\n", 1, ","],
		[
			"a sep= line",
			"sep=;\nDriver;Category;Amount;Date\nDana;commission;12,34;2026-09-21\n",
			2,
			";",
		],
		[
			"a quoted sep= line",
			'"sep=,"\nDriver,Category,Amount,Date\nDana,commission,1.00,2026-09-21',
			2,
			",",
		],
		[
			"any separator of a sep= line",
			"SEP=|\nDriver|Category|Amount|Date\nDana|fee|1.00|2026-09-21",
			2,
			"|",
		],
		[
			"a sep= line with cells beside it",
			"sep=;;;;\nDriver;Category;Amount;Date\nDana;fee;1,00;2026-09-21",
			2,
			";",
		],
		[
			"a title and an empty row",
			"Fleet fees September\n\nDriver,Category,Amount,Date\nDana,fee,12.34,2026-09-21",
			3,
			",",
		],
		[
			"a title with a comma",
			"Fees, September\nDriver,Category,Amount,Date\nDana,fee,12.34,2026-09-21",
			2,
			",",
		],
		[
			"titles as a spreadsheet saves them",
			"Fees;;;\n;;;\nDriver;Category;Amount;Date\nDana;fee;12,34;21.09.2026",
			3,
			";",
		],
		[
			"a period above",
			"From;2026-09-01;To;2026-09-30\nDriver;Category;Amount;Date\nDana;fee;12,34;21.09.2026",
			2,
			";",
		],
		["tabs", "Driver\tCategory\tAmount\tDate\nDana, D.\tfee\t1,234.50\t2026-09-21", 1, "\t"],
		[
			"decimal commas between semicolons",
			"Driver;Category;Amount;Date\nDana;fee;12,34;21.09.2026\nOmar;fee;1,5;1.9.2026",
			1,
			";",
		],
	])("is found: %s", (_, text, row, separator) => {
		expect(start(text)).toEqual({ row, separator, header: HEADER });
	});

	it.each(["", "\n\n", "one column\nof words\n", "sep=;\n"])("isn't in %j", (text) => {
		expect(start(text)).toBeUndefined();
	});

	it("is the first row if no row has only names", () => {
		expect(start("Dana,fee,1.00,2026-09-21\nOmar,fee,2.00,2026-09-21")?.row).toBe(1);
	});
});

const LINE_ENDS = ["\n", "\r\n", "\r"] as const;
type Encoding = "utf-8" | "utf-16le" | "utf-16be";

function encode(text: string, encoding: Encoding, hasMark: boolean): Uint8Array {
	const marked = hasMark ? `\ufeff${text}` : text;
	if (encoding === "utf-8") return new TextEncoder().encode(marked);
	const bytes = new Uint8Array(marked.length * 2);
	const view = new DataView(bytes.buffer);
	for (let at = 0; at < marked.length; at++)
		view.setUint16(at * 2, marked.charCodeAt(at), encoding === "utf-16le");
	return bytes;
}

const cell = fc.oneof(
	fc.string({ unit: fc.constantFrom(..."ab1.,;\t\" \n'|=é数"), maxLength: 8 }),
	fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replace(/[\0\r\ufeff]/g, "")),
);

it("reads every table as it was written, whatever its separators, quotes, encoding and line ends", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 2, max: 5 }).chain((width) =>
				fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
					minLength: 1,
					maxLength: 8,
				}),
			),
			fc.constantFrom(",", ";", "\t"),
			fc.constantFrom(...LINE_ENDS),
			fc.boolean(),
			fc.constantFrom<Encoding>("utf-8", "utf-16le", "utf-16be"),
			fc.boolean(),
			fc.boolean(),
			fc.array(fc.nat(400), { maxLength: 5 }),
			async (body, separator, lineEnd, isQuoted, encoding, hasMark, hasSepLine, cuts) => {
				const head = (body[0] ?? []).map((_, at) => `Name ${at}`);
				const table = [head, ...body];
				const quote = (text: string) =>
					isQuoted || /["\n]/.test(text) || text.includes(separator)
						? `"${text.replaceAll('"', '""').replaceAll("\n", lineEnd)}"`
						: text;
				const lines = table.map((cells) => cells.map(quote).join(separator));
				const text = [...(hasSepLine ? [`sep=${separator}`] : []), ...lines, ""].join(lineEnd);
				// Without a mark UTF-16 is recognized by its first characters, which are ASCII here.
				const bytes = encode(text, encoding, hasMark);
				const places = cuts.filter((cut) => cut < bytes.byteLength);
				const opened = await openText(streamOf(bytes, places));
				if ("kind" in opened) return expect.fail(opened.message);
				const found: (readonly string[])[] = [];
				const splitter = new RowSplitter({ separator, inner: undefined }, head.length);
				let whole = "";
				for await (const piece of opened.pieces) {
					whole += piece;
					found.push(...splitter.push(piece, false).map(({ cells }) => cells));
				}
				found.push(...splitter.push("", true).map(({ cells }) => cells));
				const read = found.slice(hasSepLine ? 1 : 0).filter((cells) => cells.length > 1);
				expect(read).toEqual(table);
				if (hasSepLine) expect(findTable(whole, true)?.dialect.separator).toBe(separator);
			},
		),
		{ numRuns: 2000 },
	);
});
