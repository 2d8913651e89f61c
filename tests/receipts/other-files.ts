/**
 * PDFs, everything that is no receipt under a receipt's name, sizes at the limit, and odd names.
 */
import { gzipSync } from "node:zlib";
import { be32, bytesFrom, type CorpusFile, fixture, le32 } from "./corpus-file.ts";
import { segment } from "./jpeg-files.ts";
import { chunk, png } from "./png-files.ts";

const LIMIT = 8 * 1024 * 1024;

export const PDF = bytesFrom(
	"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n",
	"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>\nendobj\nxref\n0 4\n0000000000 65535 f \n0000000015 00000 n \n",
	"0000000060 00000 n \n0000000111 00000 n \ntrailer\n<</Size 4/Root 1 0 R>>\nstartxref\n178\n%%EOF\n",
);

const withoutEnd = PDF.subarray(0, PDF.length - 6);

function pdfFiles(): CorpusFile[] {
	const good = (what: string, bytes: Uint8Array): CorpusFile => ({
		what: `PDF ${what}`,
		givenName: "receipt.pdf",
		bytes,
		// A PDF is stored as it came, without what was before it.
		expected: { mediaType: "application/pdf", stored: bytes },
	});
	const bad = (
		what: string,
		bytes: Uint8Array,
		expected: CorpusFile["expected"] = "broken",
	): CorpusFile => ({
		what: `PDF ${what}`,
		givenName: "receipt.pdf",
		bytes,
		expected,
	});
	const script = bytesFrom(
		"%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n",
	);
	return [
		good("plain", PDF),
		good("of version 2.0", bytesFrom("%PDF-2.0", PDF.subarray(8))),
		good("with script", bytesFrom(script, PDF.subarray(9))),
		good(
			"with an attachment",
			bytesFrom(
				PDF.subarray(0, 15),
				"4 0 obj<</Type/EmbeddedFile>>stream\nMZ\nendstream\nendobj\n",
				PDF.subarray(15),
			),
		),
		good("without a line end after its end", PDF.subarray(0, PDF.length - 1)),
		good("with CRLF after its end", bytesFrom(PDF.subarray(0, PDF.length - 1), "\r\n")),
		good("with zeros after its end", bytesFrom(PDF, new Uint8Array(5000))),
		good("with blanks after its end", bytesFrom(PDF, " \r\n\t\f\x1a".repeat(1000))),
		good("with a scanner's 1.5 KB after its end", bytesFrom(PDF, "x".repeat(1500))),
		good("without %%EOF", withoutEnd),
		good(
			"changed later",
			bytesFrom(
				PDF,
				"3 0 obj\n<</Type/Page>>\nendobj\nxref\n0 0\ntrailer\n<</Prev 178>>\nstartxref\n400\n%%EOF\n",
			),
		),
		good(
			"of scanned pages",
			bytesFrom(PDF.subarray(0, 15), fixture("canvas.jpg"), PDF.subarray(15)),
		),
		good("that is also HTML", bytesFrom("%PDF-1.4\n<script>alert(1)</script>\n", PDF.subarray(9))),
		good("that is also a ZIP", bytesFrom(PDF.subarray(0, 15), "PK\x03\x04", PDF.subarray(15))),
		good("of 8 MB exactly", padded(PDF, LIMIT)),
		bad("of 8 MB and 1 byte", padded(PDF, LIMIT + 1), "too-large"),
		...[1, 4, 5, 9, 100, 200, 300].map((at) =>
			bad(`cut off after ${at} bytes`, PDF.subarray(0, at)),
		),
		bad("whose end is far before its last byte", bytesFrom(PDF, "x".repeat(3000))),
		bad("that is HTML behind five bytes", bytesFrom("%PDF-<html><script>alert(1)</script></html>")),
		bad("that is script behind a header", bytesFrom("%PDF-1.4\n*/alert(1)")),
		{
			...good("behind a mail's head", PDF),
			bytes: bytesFrom("Content-Type: application/pdf\r\n\r\n", PDF),
		},
		{ ...good("behind a line end", PDF), bytes: bytesFrom("\n", PDF) },
		bad("behind 1,025 bytes", bytesFrom("x".repeat(1025), PDF), "unsupported"),
		good("that only its owner may change", fixture("owner-locked.pdf")),
		bad("with a password", fixture("password-protected.pdf")),
		bad("without a page", bytesFrom(PDF.subarray(0, 64), "2 0 obj<</Kids[]>>endobj\n%%EOF")),
	];
}

function padded(pdf: Uint8Array, length: number): Uint8Array {
	return bytesFrom(
		pdf.subarray(0, 9),
		`%${"x".repeat(length - pdf.length - 2)}\n`,
		pdf.subarray(9),
	);
}

const ftyp = (brand: string) =>
	bytesFrom(be32(24), "ftyp", brand, be32(0), brand, "mif1", be32(8), "mdat");
const utf16 = (text: string) =>
	bytesFrom([0xff, 0xfe], new Uint8Array(Buffer.from(text, "utf16le")));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** What is no receipt, with the word that its message must hold. */
export const FOREIGN: readonly (readonly [what: string, bytes: Uint8Array, word: string])[] = [
	["GIF", bytesFrom("GIF89a", [1, 0, 1, 0, 0, 0, 0, 0x3b]), "GIF"],
	["GIF that is script", bytesFrom("GIF89a=1;alert(1)"), "GIF"],
	["GIF of 1987", bytesFrom("GIF87a", [1, 0, 1, 0, 0, 0, 0, 0x3b]), "GIF"],
	["SVG", bytesFrom(SVG), "SVG"],
	[
		"SVG behind an XML head",
		bytesFrom(`<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg>${SVG}`),
		"SVG",
	],
	["SVG behind a byte order mark", bytesFrom("\xef\xbb\xbf  \n", SVG), "SVG"],
	["SVG in UTF-16", utf16(SVG), "SVG"],
	["HTML", bytesFrom("<!DOCTYPE html><html><script>alert(1)</script></html>"), "Web pages"],
	["HTML with a picture inside", bytesFrom(`<!doctype html>${SVG}`), "Web pages"],
	["HTML without a head", bytesFrom("  <ScRiPt>alert(1)</sCrIpT>"), "Web pages"],
	["HTML in UTF-16", utf16("<html><script>alert(1)</script></html>"), "Web pages"],
	[
		"XML",
		bytesFrom(
			'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
		),
		"XML",
	],
	["HEIC", ftyp("heic"), "HEIC"],
	["HEIC sequence", ftyp("hevc"), "HEIC"],
	["HEIF", ftyp("mif1"), "HEIC"],
	["AVIF", ftyp("avif"), "AVIF"],
	["MP4", ftyp("mp42"), "Videos"],
	["QuickTime", ftyp("qt  "), "Videos"],
	["AVI", bytesFrom("RIFF", le32(4), "AVI LIST"), "Videos"],
	["Matroska", bytesFrom([0x1a, 0x45, 0xdf, 0xa3], new Uint8Array(20)), "Videos"],
	["TIFF little endian", bytesFrom("II*\0", le32(8), [0, 0]), "TIFF"],
	["TIFF big endian", bytesFrom("MM\0*", be32(8), [0, 0]), "TIFF"],
	["BMP", bytesFrom("BM", le32(58), be32(0), le32(54), new Uint8Array(44)), "BMP"],
	["ZIP", bytesFrom("PK\x03\x04", new Uint8Array(30)), "ZIP"],
	[
		"Word document",
		bytesFrom("PK\x03\x04", new Uint8Array(26), "word/document.xml"),
		"Office documents",
	],
	[
		"old Word document",
		bytesFrom([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], new Uint8Array(30)),
		"Office documents",
	],
	["sound", bytesFrom("RIFF", le32(36), "WAVEfmt "), "Unsupported file type"],
	["gzip", new Uint8Array(gzipSync(PDF)), "Unsupported file type"],
	["Windows program", bytesFrom("MZ", new Uint8Array(60), "PE\0\0"), "Unsupported file type"],
	["Linux program", bytesFrom([0x7f], "ELF", new Uint8Array(60)), "Unsupported file type"],
	["script", bytesFrom("alert(document.cookie)"), "Unsupported file type"],
	["shell script", bytesFrom("#!/bin/sh\nrm -rf /\n"), "Unsupported file type"],
	["text", bytesFrom("Total: $12.50"), "Unsupported file type"],
	["CSV", bytesFrom("Date,Amount\r\n2026-11-21,12.50\r\n"), "Unsupported file type"],
	["PostScript", bytesFrom("%!PS-Adobe-3.0\n"), "Unsupported file type"],
	["zeros", new Uint8Array(1000), "Unsupported file type"],
	["JPEG 2000", bytesFrom(be32(12), "jP  \r\n\x87\n"), "Unsupported file type"],
	["JPEG XL", bytesFrom([0xff, 0x0a], new Uint8Array(20)), "Unsupported file type"],
	["JPEG after one stray byte", bytesFrom([0], fixture("baseline.jpg")), "Unsupported file type"],
	["PNG without its high bit", bytesFrom([0x09], png().subarray(1)), "Unsupported file type"],
];

function foreignFiles(): CorpusFile[] {
	const names = ["receipt.png", "receipt.jpg", "receipt.pdf"];
	return FOREIGN.map(([what, bytes], index) => {
		const givenName = names[index % names.length] ?? "";
		return { what: `${what} named ${givenName}`, givenName, bytes, expected: "unsupported" };
	});
}

function sizes(): CorpusFile[] {
	const base = fixture("baseline.jpg");
	const comments = (total: number): Uint8Array => {
		const parts: Uint8Array[] = [];
		for (let left = total; left > 0; ) {
			const length = left <= 65_000 ? left : Math.min(60_000, left);
			parts.push(segment(0xfe, new Uint8Array(length - 4)));
			left -= length;
		}
		return bytesFrom(base.subarray(0, 2), ...parts, base.subarray(2));
	};
	const jpeg = {
		givenName: "big.jpg",
		expected: { mediaType: "image/jpeg", size: [40, 24], stored: base },
	} as const;
	const bigPng = png({ after: [chunk("tEXt", "a\0", new Uint8Array(LIMIT - png().length - 14))] });
	return [
		{ what: "JPEG of 8 MB exactly", bytes: comments(LIMIT - base.length), ...jpeg },
		{
			what: "JPEG with zeros up to 8 MB exactly",
			bytes: bytesFrom(base, new Uint8Array(LIMIT - base.length)),
			...jpeg,
		},
		{
			what: "JPEG of 8 MB and 1 byte",
			...jpeg,
			bytes: comments(LIMIT - base.length + 1),
			expected: "too-large",
		},
		{
			what: "PNG of 8 MB exactly",
			givenName: "big.png",
			bytes: bigPng,
			expected: { mediaType: "image/png", size: [9, 7], stored: png() },
		},
		{
			what: "PNG of 8 MB and 1 byte",
			givenName: "big.png",
			bytes: bytesFrom(bigPng, [0]),
			expected: "too-large",
		},
		{
			what: "zeros of 8 MB and 1 byte",
			givenName: "big.png",
			bytes: new Uint8Array(LIMIT + 1),
			expected: "too-large",
		},
		{
			what: "JPEG whose Exif grows past 8 MB",
			givenName: "big.jpg",
			bytes: growing(base),
			expected: "too-large",
		},
		{ what: "nothing", givenName: "empty.jpg", bytes: new Uint8Array(), expected: "empty" },
		{
			what: "nothing named as a PDF",
			givenName: "empty.pdf",
			bytes: new Uint8Array(),
			expected: "empty",
		},
	];
}

/**
 * At the limit with segments that must stay, and an Exif that ends right after its orientation:
 * whole it is four bytes longer.
 */
function growing(base: Uint8Array): Uint8Array {
	const exif = segment(
		0xe1,
		"Exif\0\0MM\0*",
		be32(8),
		[0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0],
	);
	// Of 69, 4 and 6 bytes: some of each make any length.
	const [table, noTable, restart] = [
		segment(0xdb, [3], new Uint8Array(64)),
		segment(0xdb),
		segment(0xdd, [0, 0]),
	];
	const fill: Uint8Array[] = [];
	let left = LIMIT - base.length - exif.length;
	if (left % 2) {
		fill.push(table);
		left -= table.length;
	}
	for (; left % restart.length; left -= noTable.length) fill.push(noTable);
	fill.push(new Uint8Array(Buffer.alloc(left, restart)));
	return bytesFrom(base.subarray(0, 20), exif, ...fill, base.subarray(20));
}

/** Given names and what is shown of them. */
export const NAMES: readonly (readonly [given: string, shown: string])[] = [
	["receipt.jpg", "receipt.jpg"],
	["Quittung März (2).jpg", "Quittung März (2).jpg"],
	["领收书.jpg", "领收书.jpg"],
	["قبض.jpg", "قبض.jpg"],
	["🧾 fuel.jpg", "🧾 fuel.jpg"],
	["a\r\nSet-Cookie: sid=1.jpg", "a Set-Cookie: sid=1.jpg"],
	["../../etc/passwd", "passwd"],
	["..\\..\\windows\\system32\\a.jpg", "a.jpg"],
	["C:\\fakepath\\IMG_0001.JPG", "IMG_0001.JPG"],
	["/", "receipt"],
	["a/b/", "b"],
	["..", "receipt"],
	[". . .", "receipt"],
	[".htaccess", "htaccess"],
	["...hidden.pdf", "hidden.pdf"],
	["a\0.php\0.jpg", "a.php.jpg"],
	["invoice\u202efdp.exe", "invoicefdp.exe"],
	["\u2066a\u2069\u200f.jpg", "a.jpg"],
	["\ufeffa\u200b.jpg", "a.jpg"],
	["\u200d", "receipt"],
	["\u200d.a.jpg", "a.jpg"],
	["a\u2028b\u2029c.jpg", "a b c.jpg"],
	["a\ud800b\udc00.jpg", "ab.jpg"],
	["\ud800", "receipt"],
	["", "receipt"],
	["   ", "receipt"],
	["\u0007", "receipt"],
	["no-extension", "no-extension"],
	["double.jpg.exe", "double.jpg.exe"],
	["<script>alert(1)</script>.jpg", "script>.jpg"],
	['"quoted"; filename=evil.html', '"quoted"; filename=evil.html'],
	["a\u0301.jpg", "á.jpg"],
	["می\u200cخواهم.jpg", "می\u200cخواهم.jpg"],
	["  many   blanks \t here .jpg", "many blanks here .jpg"],
	["CON", "CON"],
	[`${"x".repeat(5000)}.jpg`, `${"x".repeat(196)}.jpg`],
	["x".repeat(5000), "x".repeat(200)],
	[`${"🧾".repeat(5000)}.jpg`, `${"🧾".repeat(98)}.jpg`],
	[`a.${"x".repeat(5000)}`, `a.${"x".repeat(198)}`],
	[`${"../".repeat(5000)}a.jpg`, "a.jpg"],
	[`${"x".repeat(190)}${" ".repeat(1)}${"y".repeat(300)}.jpeg`, `${"x".repeat(190)} yyyy.jpeg`],
];

function namedFiles(): CorpusFile[] {
	const base = fixture("baseline.jpg");
	return NAMES.map(([givenName, fileName]) => ({
		what: `JPEG named ${JSON.stringify(givenName.slice(0, 40))}, ${givenName.length} long`,
		givenName,
		bytes: base,
		expected: { mediaType: "image/jpeg", size: [40, 24], stored: base, fileName },
	}));
}

export function otherFiles(): CorpusFile[] {
	return [...pdfFiles(), ...foreignFiles(), ...sizes(), ...namedFiles()];
}
