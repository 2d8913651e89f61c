/** PDFs as their many producers write them: tables and streams of positions, updates, passwords. */
import { deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import { bytesFrom } from "./corpus-file.ts";

/** Objects by number, without `obj` and `endobj`. */
export type Objects = Readonly<Record<number, string | Uint8Array>>;

export const ONE_PAGE: Objects = {
	1: "<</Type/Catalog/Pages 2 0 R>>",
	2: "<</Type/Pages/Kids[3 0 R]/Count 1>>",
	3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>",
};
/** What is left when every page was deleted. */
export const NO_PAGES: Objects = { ...ONE_PAGE, 2: "<</Type/Pages/Kids[]/Count 0>>", 3: "null" };

const HEAD = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
const padded = (number: number, digits: number) => String(number).padStart(digits, "0");

/** Appends objects to a file, and notes where each is. */
function append(file: Uint8Array, objects: Objects) {
	const places = new Map<number, number>();
	let bytes = file;
	for (const [number, object] of Object.entries(objects)) {
		places.set(Number(number), bytes.length);
		bytes = bytesFrom(bytes, `${number} 0 obj\n`, object, "\nendobj\n");
	}
	return { bytes, places };
}

/**
 * With a table of positions.
 * @param shift how far each position is off
 */
export function withTable(
	objects: Objects,
	{ file = bytesFrom(HEAD), trailer = "/Root 1 0 R", shift = 0 } = {},
): Uint8Array {
	const { bytes, places } = append(file, objects);
	const sections = [...places].map(
		([number, at]) => `${number} 1\n${padded(at + shift, 10)} 00000 n \n`,
	);
	return bytesFrom(
		bytes,
		`xref\n0 1\n0000000000 65535 f \n${sections.join("")}trailer\n<</Size 9${trailer}>>\n`,
		`startxref\n${bytes.length + shift}\n%%EOF\n`,
	);
}

/** An update behind a file: its objects replace those of the same numbers. */
export function updated(file: Uint8Array, objects: Objects): Uint8Array {
	const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(Buffer.from(file).toString("latin1"))?.[1];
	return withTable(objects, { file, trailer: `/Root 1 0 R/Prev ${previous}` });
}

const big = (number: number, bytes: number) =>
	Array.from({ length: bytes }, (_, at) => (number >> (8 * (bytes - 1 - at))) & 255);

/** A compressed stream as an object, with the `Up` filter of PNG before compression if wanted. */
function stream(dict: string, content: Uint8Array, columns?: number): Uint8Array {
	let filtered = content;
	if (columns !== undefined) {
		const rows = Array.from({ length: content.length / columns }, (_, row) =>
			content.slice(row * columns, (row + 1) * columns),
		);
		filtered = bytesFrom(
			...rows.flatMap((row, at) => [[2], row.map((byte, x) => byte - (rows[at - 1]?.[x] ?? 0))]),
		);
	}
	const data = deflateSync(filtered);
	const predictor = columns ? `/DecodeParms<</Predictor 12/Columns ${columns}>>` : "";
	return bytesFrom(
		`<<${dict}/Filter/FlateDecode${predictor}/Length ${data.length}>>stream\r\n`,
		data,
		"\nendstream",
	);
}

/** With its objects and their positions in streams, as most are written today. */
export function withStreams(objects: Objects, { isPredicted = false } = {}): Uint8Array {
	const entries = Object.entries(objects);
	let content = "";
	const index = entries.map(([number, object]) => {
		const at = content.length;
		content += `${object} `;
		return `${number} ${at}`;
	});
	const first = `${index.join(" ")} `;
	const holder = stream(
		`/Type/ObjStm/N ${entries.length}/First ${first.length}`,
		bytesFrom(first + content),
	);
	const { bytes, places } = append(bytesFrom(HEAD), { 10: holder });
	const rows = bytesFrom(
		...entries.map((_, at) => [2, ...big(10, 4), at]),
		[1, ...big(places.get(10) ?? 0, 4), 0],
		[1, ...big(bytes.length, 4), 0],
	);
	const ranges = [...entries.map(([number]) => `${number} 1`), "10 2"].join(" ");
	const table = stream(
		`/Type/XRef/Size 12/W[1 4 1]/Index[${ranges}]/Root 1 0 R`,
		rows,
		isPredicted ? 6 : undefined,
	);
	return bytesFrom(append(bytes, { 11: table }).bytes, `startxref\n${bytes.length}\n%%EOF\n`);
}

/** For old and new readers: only the new ones find the pages, in a stream that is named beside. */
export function hybrid(objects: Objects): Uint8Array {
	const { bytes, places } = append(bytesFrom(HEAD), objects);
	const numbers = [...places.keys()];
	const rows = bytesFrom(...[...places.values()].map((at) => [1, ...big(at, 4), 0]));
	const table = stream(
		`/Type/XRef/Size 12/W[1 4 1]/Index[${numbers.map((number) => `${number} 1`).join(" ")}]`,
		rows,
	);
	const second = append(bytes, { 11: table }).bytes;
	return bytesFrom(
		second,
		`xref\n0 4\n${"0000000000 65535 f \n".repeat(4)}trailer\n<</Size 12/Root 1 0 R/XRefStm ${bytes.length}>>\n`,
		`startxref\n${second.length}\n%%EOF\n`,
	);
}

/** Encrypted by pdfkit, whose version decides the method. */
export async function encrypted(
	pdfVersion: "1.3" | "1.4" | "1.6" | "1.7ext3",
	userPassword: string,
): Promise<Uint8Array> {
	const document = new PDFDocument({
		pdfVersion,
		userPassword,
		ownerPassword: "owner",
		permissions: { printing: "lowResolution" },
	});
	const pieces: Uint8Array[] = [];
	document.on("data", (piece: Uint8Array) => pieces.push(piece));
	document.text("Receipt 12.50").end();
	await new Promise((pass) => document.on("end", pass));
	return bytesFrom(...pieces);
}
