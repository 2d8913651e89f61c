/** The demo fleet's receipts: photos and PDFs in tools/demo-receipts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Clock, demoId, type Row } from "./demo-cast.ts";

export type StoredFile = {
	readonly key: string;
	readonly bytes: Uint8Array;
	readonly mediaType: string;
};
/** Attaches one of the files to a request or charge of that driver, and returns the receipt's id. */
export type UseReceipt = (file: string, owner: string, at: number) => string;

export function demoReceipts({ now }: Clock) {
	const rows: Row[] = [];
	const files: StoredFile[] = [];
	const use: UseReceipt = (file, owner_id, at) => {
		// Miniflare rejects a Buffer.
		const bytes = new Uint8Array(readFileSync(resolve("tools", "demo-receipts", file)));
		const id = demoId(6, rows.length);
		const mediaType = file.endsWith(".pdf") ? "application/pdf" : "image/jpeg";
		files.push({ key: `r/${id}`, bytes, mediaType });
		rows.push({
			id,
			owner_id,
			object_key: `r/${id}`,
			media_type: mediaType,
			byte_size: bytes.byteLength,
			sha256: createHash("sha256").update(bytes).digest("hex"),
			file_name: file,
			created_at: Math.min(now, at),
		});
		return id;
	};
	return { use, files, rows: () => rows };
}
