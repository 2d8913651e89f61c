/** Writes an export's objects to the second bucket, and removes them. */
import { encodeHexLowerCase } from "@oslojs/encoding";
import type { Database } from "../../db/client.server.ts";
import { EXPORTS, folderOf, keptDates, manifestKey, type Part, RECEIPTS } from "./manifest.ts";
import {
	linesOf,
	type Range,
	type ReceiptFile,
	selectReceiptFiles,
	selectReceiptsByKey,
	type Table,
} from "./rows.server.ts";

/** The SHA-256 of a text in UTF-8. */
export async function sha256Of(text: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return encodeHexLowerCase(new Uint8Array(digest));
}

type Rows = Parameters<typeof linesOf>[1];
const keyOf = (date: string, table: Table, after: number) =>
	`${folderOf(date)}tables/${table.name}/${String(after + 1).padStart(16, "0")}.ndjson`;

/** Writes a part under its first row's number; writing it again replaces it. */
export async function writePart(
	bucket: R2Bucket,
	date: string,
	table: Table,
	{ after, last }: Range,
	rows: Rows,
): Promise<void> {
	const text = linesOf(table, rows);
	await bucket.put(keyOf(date, table, after), text, {
		customMetadata: {
			rows: String(rows.length),
			sha256: await sha256Of(text),
			after: String(after),
			last: String(last),
		},
	});
}

/**
 * A table's existing parts, in the order of their rows. One that begins within another was left by
 * a step that broke off: when it ran again, its parts began at other rows.
 */
export async function listParts(bucket: R2Bucket, date: string, table: Table): Promise<Part[]> {
	const parts: Part[] = [];
	const prefix = `${folderOf(date)}tables/${table.name}/`;
	for (let cursor: string | undefined; ; ) {
		const asked = { prefix, include: ["customMetadata"], ...(cursor ? { cursor } : {}) };
		const page = await bucket.list(asked);
		for (const { key, size, customMetadata: told = {} } of page.objects) {
			const after = Number(told.after);
			if (after < (parts.at(-1)?.last ?? -1)) continue;
			parts.push({
				path: key,
				rows: Number(told.rows),
				bytes: size,
				sha256: told.sha256 ?? "",
				after,
				last: Number(told.last),
			});
		}
		if (!page.truncated) return parts;
		cursor = page.cursor;
	}
}

/**
 * Copies the files of the next receipts; R2 refuses one that differs from what was uploaded.
 * @returns where to continue; undefined after the last one
 */
export async function copyReceipts(
	db: Database,
	source: R2Bucket,
	target: R2Bucket,
	{ from, after }: { from: number; after: string },
	most: number,
): Promise<{
	copied: number;
	missing: string[];
	next: { from: number; after: string } | undefined;
}> {
	const { files } = await db.batch({ files: selectReceiptFiles(db.build, from, after, most) });
	const last = files.at(-1);
	const isLast = files.length < most || !last;
	return {
		...(await copyFiles(source, target, files)),
		next: isLast ? undefined : { from: last.createdAt, after: last.id },
	};
}

async function copyFiles(
	source: R2Bucket,
	target: R2Bucket,
	files: readonly ReceiptFile[],
): Promise<{ copied: number; missing: string[] }> {
	const missing: string[] = [];
	let copied = 0;
	for (const { key, sha256, mediaType } of files) {
		const object = await source.get(key);
		const bytes = object && (await object.arrayBuffer());
		const digest = bytes && new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
		if (!bytes || !digest || encodeHexLowerCase(digest) !== sha256) {
			missing.push(key);
			continue;
		}
		await target.put(`${RECEIPTS}${key}`, bytes, { httpMetadata: { contentType: mediaType } });
		copied += 1;
	}
	return { copied, missing };
}

/**
 * Copies the files of these receipts, which an earlier export missed.
 * @returns those that are still missing; a receipt that is gone isn't
 */
export async function copyMissed(
	db: Database,
	source: R2Bucket,
	target: R2Bucket,
	keys: readonly string[],
): Promise<string[]> {
	if (keys.length === 0) return [];
	const { files } = await db.batch({ files: selectReceiptsByKey(db.build, keys) });
	const { missing } = await copyFiles(source, target, files);
	return missing;
}

/** The dates of the existing exports, complete or not. */
export async function exportDates(bucket: R2Bucket): Promise<string[]> {
	const { delimitedPrefixes } = await bucket.list({ prefix: EXPORTS, delimiter: "/" });
	return delimitedPrefixes
		.map((prefix) => prefix.slice(EXPORTS.length, -1))
		.filter((date) => /^\d{4}-\d{2}-\d{2}$/.test(date));
}

/** Removes expired exports, and those that were never completed. */
export async function dropOldExports(bucket: R2Bucket): Promise<void> {
	const dates = await exportDates(bucket);
	const complete: string[] = [];
	for (const date of dates) if (await bucket.head(manifestKey(date))) complete.push(date);
	const kept = keptDates(complete);
	for (const date of dates.filter((each) => !kept.has(each))) await dropExport(bucket, date);
}

/** Removes everything of a date's export. */
export async function dropExport(bucket: R2Bucket, date: string): Promise<void> {
	// The manifest first: without it, what is left is no export.
	await bucket.delete(`${folderOf(date)}manifest.json`);
	for (;;) {
		const { objects } = await bucket.list({ prefix: folderOf(date) });
		if (objects.length === 0) return;
		await bucket.delete(objects.map(({ key }) => key));
	}
}
