/** Files that aren't CSVs are named for what they are. */
import { describe, expect, it } from "vitest";
import {
	tableOf,
	toBytes,
	toText,
	translatePaths,
} from "../../../tests/support/statement-tables.ts";
import { read } from "../../../tests/support/statements.ts";
import { repairText } from "./damaged-text.ts";

/** The beginning of a zip whose first entry isn't compressed. */
function zip(entry: string, content = ""): Uint8Array {
	const header = new Uint8Array(30);
	header.set([0x50, 0x4b, 3, 4, 20]);
	header[26] = entry.length;
	return new Uint8Array([...header, ...new TextEncoder().encode(entry + content), 0, 0, 0, 0]);
}
const utf16 = (text: string) =>
	new Uint8Array([0xff, 0xfe, ...Array.from(text, (each) => [each.charCodeAt(0), 0]).flat()]);

const ODS = "application/vnd.oasis.opendocument.spreadsheet";
const FILES: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
	[
		"report.ods",
		zip("mimetype", `${ODS}PK`),
		/^This is an OpenDocument spreadsheet \(\.ods\)\. .*LibreOffice/,
	],
	[
		"text.odt",
		zip("mimetype", "application/vnd.oasis.opendocument.text"),
		/^This is an OpenDocument file, but not a spreadsheet/,
	],
	[
		"flat.fods",
		`<?xml version="1.0"?>\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="${ODS}">`,
		/^This is an OpenDocument spreadsheet/,
	],
	[
		"report.numbers",
		zip("Index/Document.iwa"),
		/^This is a Numbers spreadsheet\. .*export it as CSV/,
	],
	["report.numbers", zip("preview.jpg"), /^This is a Numbers spreadsheet/],
	["report.xlsx", zip("[Content_Types].xml"), /^This is an Excel workbook/],
	[
		"report.xls",
		new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
		/^This is an Excel workbook/,
	],
	["report.zip", zip("payments_order.csv"), /^This is a zip archive/],
	[
		"report.xml",
		'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
		/^This is an XML Spreadsheet 2003\. .*save it as 'CSV UTF-8' in Excel/,
	],
	[
		"report.xls",
		utf16('<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'),
		/^This is an XML Spreadsheet 2003/,
	],
	["report.xml", '<?xml version="1.0"?><fees><fee amount="1.00"/></fees>', /^This is an XML file/],
	["report.json", '[{"driver": "Dana", "amount": "1.00"}]', /^This is a JSON file/],
	["report.json", '\ufeff{\n  "fees": []\n}', /^This is a JSON file/],
	[
		"report.xls",
		'<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table>',
		/^This is a web page with a table in it/,
	],
	[
		"report.xls",
		"  <table><tr><td>Driver</td></tr></table>",
		/^This is a web page with a table in it/,
	],
	[
		"report.xls",
		"MIME-Version: 1.0\nContent-Type: multipart/related",
		/^This is a web page with a table in it/,
	],
	[
		"report.csv",
		"<!-- saved --><!DOCTYPE html><html><head>",
		/^This is a web page, perhaps the portal's sign-in screen/,
	],
	["report.pdf", "%PDF-1.7", /^This is a PDF/],
	["report.doc", "{\\rtf1\\ansi", /^This is a text document \(RTF\)/],
	["report.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47]), /^This is an image/],
];

it.each(FILES)("names %s as what it is", async (fileName, content, message) => {
	const { reading } = await read(content, { fileName });
	expect(reading).toMatchObject({ kind: "refused", message: expect.stringMatching(message) });
	expect(reading).toMatchObject({ message: expect.stringMatching(/CSV/) });
});

it.each(["[Name],Amount,Date\nDana,1.00,2026-09-21", "{Name},Amount,Date\nx,1.00,2026-09-21"])(
	"doesn't take column names in brackets for JSON: %j",
	async (content) => {
		expect((await read(content, { fileName: "x.csv" })).reading.kind).toBe("statement");
	},
);

it("doesn't try each way to read a file of comments", async () => {
	const { reading } = await read(`${"<!---->".repeat(30)}x`, { fileName: "x.csv" });
	expect(reading.kind).toBe("unknown");
});

/** Windows-1252 from 0x80 to 0x9f, including the five that it lacks. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
/** What a program makes of UTF-8 that it reads as Windows-1252 and saves as UTF-8. */
const damage = (text: string) =>
	Array.from(
		new TextEncoder().encode(text),
		(byte) => (byte < 0xa0 ? WINDOWS[byte - 0x80] : undefined) ?? String.fromCharCode(byte),
	).join("");
/** Likewise with ISO 8859-1. */
const damageWithControls = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

describe("damaged letters", () => {
	const german = translatePaths(
		tableOf("uber-payments-order"),
		{ "Driver UUID": "Fahrer-UUID", "transaction UUID": "Transaktions-UUID" },
		{ "Paid to you": "An dein Unternehmen gezahlt", "Service fee": "Servicegebühr" },
	);
	const damaged = { head: german.head.map(damage), rows: german.rows };

	it.each([
		["once", damaged],
		["twice", { head: damaged.head.map(damage), rows: damaged.rows }],
	])("are named as that: saved in another encoding %s", async (_, table) => {
		const { reading } = await read(toText(table), {
			fileName: "20260921-20260928-payments_order-Example.csv",
		});
		expect(reading).toMatchObject({
			kind: "refused",
			message: expect.stringMatching(
				/^A program damaged the letters .*' instead of '.*Servicegebühr'/,
			),
		});
	});

	it("are named in a file with columns of its own, too", async () => {
		const { reading } = await read("Fahrer;GebÃ¼hr;Betrag\nDana;Provision;1,00\n", {
			fileName: "x.csv",
		});
		expect(reading).toMatchObject({
			message: expect.stringContaining("'GebÃ¼hr' instead of 'Gebühr'"),
		});
		const lost = await read("Fahrer;Geb\ufffdhr;Betrag\nDana;Provision;1,00\n", {
			fileName: "x.csv",
		});
		expect(lost.reading).toMatchObject({ message: expect.stringContaining("'Geb\ufffdhr'") });
	});

	it("are repaired only where there are any", () => {
		const sound = [
			"Servicegebühr",
			"Opłata za usługę",
			"Taxa de serviço",
			"수익",
			"Fee",
			"€",
			"Â",
			"",
		];
		expect(sound.filter((text) => repairText(text) !== undefined)).toEqual([]);
		for (const text of ["Servicegebühr", "Opłata za usługę", "Taxa de serviço", "수익", "€"])
			for (const spoil of [damage, damageWithControls]) expect(repairText(spoil(text))).toBe(text);
	});

	it("are no matter in a byte order mark", async () => {
		const order = tableOf("uber-payments-order");
		const { reading } = await read(`ï»¿${toText(order)}`, { fileName: "payments_order.csv" });
		expect(reading).toMatchObject({ format: "uber-payments-order" });
		const marked = toBytes(order, { byteOrderMark: true });
		const twice = new Uint8Array([0xef, 0xbb, 0xbf, ...marked]);
		expect((await read(twice, { fileName: "payments_order.csv" })).reading).toMatchObject({
			format: "uber-payments-order",
		});
	});
});
