/**
 * Everything stored about one person, as a ZIP that is streamed: only the current page of rows or
 * piece of a receipt is in memory.
 */
import type { Database } from "../../db/client.server.ts";
import { BYTE_ORDER_MARK, csvLines } from "../../values/csv.ts";
import { beginZip } from "../kernel/zip.ts";
import { ACCOUNT, TRACES } from "./account.server.ts";
import { type ArchiveContents, indexText } from "./index-text.ts";
import { pathOf, RECEIPTS, selectReceiptFiles } from "./receipts.server.ts";
import { RECORDS } from "./records.server.ts";
import { type Row, readSection, type Section, toCell } from "./section.server.ts";

/** Everything about a person, in the order of the index. */
const SECTIONS: readonly Section[] = [...ACCOUNT, ...RECORDS, RECEIPTS, ...TRACES];

export type ArchiveSource = Omit<ArchiveContents, "files" | "receipts" | "missing"> & {
	readonly id: string;
	readonly now: number;
	readonly db: Database;
	readonly archive: Database;
	readonly receiptStore: R2Bucket;
};

type Pages = AsyncIterable<readonly Row[]>;

/** The rows as a JSON array, one per line. */
async function* jsonOf(pages: Pages): AsyncGenerator<string> {
	let lead = "[\n";
	for await (const rows of pages) {
		yield lead + rows.map((row) => JSON.stringify(row)).join(",\n");
		lead = ",\n";
	}
	yield lead === "[\n" ? "[]\n" : "\n]\n";
}

/** The rows as a CSV with its header. */
async function* csvOf({ columns }: Section, pages: Pages): AsyncGenerator<string> {
	yield BYTE_ORDER_MARK + csvLines([Object.keys(columns)]);
	for await (const rows of pages) yield csvLines(rows.map((row) => Object.values(row).map(toCell)));
}

/** Counts rows as they pass. */
async function* countRows(
	pages: Pages,
	count: (rows: number) => void,
): Pages & AsyncGenerator<readonly Row[]> {
	for await (const rows of pages) {
		count(rows.length);
		yield rows;
	}
}

/** A file from the store, piece by piece. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			yield value;
		}
	} finally {
		await reader.cancel();
	}
}

/**
 * The archive's bytes, in pieces as they become ready.
 * @throws when the database or the file store fails: a download that breaks off is better than one
 * with silent gaps
 */
export async function* writeArchive(source: ArchiveSource): AsyncGenerator<Uint8Array> {
	const { id, db, archive, now, part, receiptStore } = source;
	const { addText, addStored, end } = beginZip(now);
	const files: { name: string; about: string; rows: number }[] = [];
	const reader = { db, archive };
	for (const section of part === 1 ? SECTIONS : []) {
		let rows = 0;
		const { name, about } = section;
		const first = countRows(readSection(reader, section, id), (more) => {
			rows += more;
		});
		yield* addText(`${name}.json`, jsonOf(first));
		// Read twice: kept until the first file is written, the rows could take any amount of memory.
		yield* addText(`${name}.csv`, csvOf(section, readSection(reader, section, id)));
		files.push({ name, about, rows });
	}
	const missing: string[] = [];
	const { receipts } = await db.batch({ receipts: selectReceiptFiles(db.build, id, part) });
	for (const receipt of receipts) {
		const object = await receiptStore.get(receipt.objectKey);
		const path = pathOf(receipt);
		if (object) yield* addStored(path, piecesOf(object.body));
		else missing.push(path);
	}
	const contents = { ...source, files, missing, receipts: receipts.length - missing.length };
	yield* addText("README.txt", [indexText(contents)]);
	yield* end();
}
