/** Which PDFs open, whoever wrote them, and why the others are refused. */
import fc from "fast-check";
import { getDocumentProxy } from "unpdf";
import { describe, expect, it } from "vitest";
import { bytesFrom, fixture } from "../../../tests/receipts/corpus-file.ts";
import { PDF } from "../../../tests/receipts/other-files.ts";
import {
	encrypted,
	hybrid,
	NO_PAGES,
	ONE_PAGE,
	updated,
	withStreams,
	withTable,
} from "../../../tests/receipts/pdf-files.ts";
import { pdfProblem } from "./pdf.ts";
import { prepareReceipt } from "./prepare.ts";

const METHODS = ["1.3", "1.4", "1.6", "1.7ext3"] as const;

const OPEN: readonly (readonly [string, Uint8Array])[] = [
	["with a table", withTable(ONE_PAGE)],
	["with streams", withStreams(ONE_PAGE)],
	["with a filtered table in a stream", withStreams(ONE_PAGE, { isPredicted: true })],
	["for old and new readers", hybrid(ONE_PAGE)],
	["updated", updated(withTable(ONE_PAGE), { 3: "<</Type/Page/Parent 2 0 R/Rotate 90>>" })],
	["updated twice", updated(updated(withTable(ONE_PAGE), { 4: "null" }), { 5: "null" })],
	["whose pages came with an update", updated(withTable(NO_PAGES), ONE_PAGE)],
	["whose positions are off", withTable(ONE_PAGE, { shift: 7 })],
	[
		"with pages in a deep tree",
		withTable({
			...ONE_PAGE,
			2: "<</Kids[4 0 R]/Type/Pages>>",
			4: "<</Type/Pages/Kids[5 0 R 3 0 R]>>",
			5: "<</Type/Pages/Kids[]>>",
		}),
	],
	[
		"without a table",
		bytesFrom(
			"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF",
		),
	],
	[
		"whose streams lie behind a wrong position",
		bytesFrom(withStreams(ONE_PAGE), "startxref\n99999\n%%EOF\n"),
	],
	["that only its owner may change", fixture("owner-locked.pdf")],
];

describe("a PDF that opens", () => {
	it.each(OPEN)("%s is accepted", async (_, bytes) => {
		expect(pdfProblem(bytes)).toBeUndefined();
		// Another reader agrees.
		expect((await getDocumentProxy(bytes.slice())).numPages).toBe(1);
	});

	it.each(METHODS)(
		"is accepted encrypted as in version %s, without a password",
		async (version) => {
			const bytes = await encrypted(version, "");
			expect(Buffer.from(bytes).includes("/Encrypt")).toBe(true);
			expect(pdfProblem(bytes)).toBeUndefined();
			expect((await getDocumentProxy(bytes.slice())).numPages).toBe(1);
		},
	);

	it("is accepted if only its attachments are encrypted, and if its method is unknown", () => {
		const encryption = (more: string) =>
			withTable(ONE_PAGE, { trailer: `/Root 1 0 R/Encrypt<</Filter/Standard${more}>>` });
		const strings = `/O<${"00".repeat(32)}>/U<${"00".repeat(32)}>/P -4`;
		expect(pdfProblem(encryption(`/V 4/R 4/StmF/Identity${strings}`))).toBeUndefined();
		expect(pdfProblem(encryption(`/V 9/R 9/StmF/X/StrF/X${strings}`))).toBeUndefined();
		expect(pdfProblem(encryption(`/V 4/R 4/StmF/X/StrF/X${strings}`))).toBe("protectedPdf");
	});
});

describe("a PDF that doesn't open", () => {
	it.each(METHODS)("is refused with a password as in version %s", async (version) => {
		expect(pdfProblem(await encrypted(version, "secret"))).toBe("protectedPdf");
	});

	it.each([
		["has no entries", ""],
		["has no password entries", "/V 2/R 3/Length 128/P -4"],
		["has short ones", "/V 1/R 2/O(a)/U(b)/P -4"],
		["has short ones of the newest method", "/V 5/R 6/StmF/X/StrF/X/O(a)/U(b)/P -4"],
	])("is refused where what encrypts it %s", async (_, entries) => {
		const trailer = `/Root 1 0 R/Encrypt<</Filter/Standard${entries}>>`;
		expect(pdfProblem(withTable(ONE_PAGE, { trailer }))).toBe("protectedPdf");
	});

	it("says so in words", () => {
		const sentence = (bytes: Uint8Array) => {
			const outcome = prepareReceipt(bytes, "receipt.pdf");
			return outcome.ok ? "" : outcome.details.message;
		};
		expect(sentence(fixture("password-protected.pdf"))).toBe(
			"This PDF is protected with a password. Save it without one.",
		);
		const certificate = "/Root 1 0 R/Encrypt<</Filter/Adobe.PubSec/V 4>>";
		expect(sentence(withTable(ONE_PAGE, { trailer: certificate }))).toBe(
			"This PDF opens only for certain people or programs. Save it without that protection.",
		);
		for (const bytes of [
			withTable(NO_PAGES),
			withStreams(NO_PAGES),
			updated(withTable(ONE_PAGE), NO_PAGES),
		])
			expect(sentence(bytes)).toBe("This PDF has no pages. Save or scan it again.");
	});

	it.each([
		["without objects", bytesFrom("%PDF-1.7\n%%EOF")],
		["that is something else inside", bytesFrom("%PDF-1.7\n", "x".repeat(5000), "\n%%EOF")],
		["whose root is lost", withTable({ ...ONE_PAGE, 1: "(gone)" })],
		["whose pages are lost", withTable({ 1: "<</Type/Catalog/Pages 2 0 R>>" })],
		[
			"whose pages are their own children",
			withTable({ ...ONE_PAGE, 2: "<</Type/Pages/Kids[2 0 R]>>", 3: "null" }),
		],
		[
			"whose objects were overwritten",
			withStreams(ONE_PAGE).map((byte, at) => (at > 60 && at < 120 ? 0 : byte)),
		],
	])("%s is damaged", (_, bytes) => {
		expect(pdfProblem(bytes)).toBe("brokenPdf");
	});
});

describe("what comes before a PDF", () => {
	const prepared = (before: string | Uint8Array) => prepareReceipt(bytesFrom(before, PDF), "r.pdf");

	it.each([
		["a byte order mark", "\xef\xbb\xbf"],
		["a line end", "\r\n"],
		["blanks", " \t\n".repeat(100)],
		["an email's head", "Content-Type: application/pdf\r\n\r\n"],
		["1,024 bytes", "x".repeat(1024)],
	])("is cut off: %s", (_, before) => {
		const outcome = prepared(before);
		if (!outcome.ok) expect.unreachable(outcome.details.message);
		expect(Buffer.from(outcome.value.bytes).equals(PDF)).toBe(true);
	});

	it("may be at most 1,024 bytes, and no other kind of file", () => {
		expect(prepared("x".repeat(1025))).toMatchObject({
			ok: false,
			details: { words: "latePdf" },
		});
		expect(prepared("PK\x03\x04")).toMatchObject({ ok: false, details: { words: "zip" } });
		expect(prepared("<html>")).toMatchObject({ ok: false, details: { words: "html" } });
		expect(prepared("GIF89a")).toMatchObject({ ok: false, details: { words: "gif" } });
	});
});

it("a damaged PDF is judged without an error", { timeout: 120_000 }, () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...OPEN.map(([, bytes]) => bytes)),
			fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { minLength: 1, maxLength: 8 }),
			(bytes, changes) => {
				const damaged = bytes.slice();
				for (const [at, byte] of changes) damaged[at % damaged.length] = byte;
				pdfProblem(damaged);
			},
		),
		{ numRuns: 5_000 },
	);
});
