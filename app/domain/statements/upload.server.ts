/** Stores a small statement, which came whole with its form, where large ones wait. */
import { displayFileName } from "../receipts/file-name.ts";
import { fileKey, ObjectWriter, type Upload } from "./object-writer.server.ts";
import { DEFAULT_FILE_NAME } from "./rules.ts";

/** Stores a file that is in memory. */
export async function receiveUpload(bucket: R2Bucket, file: File): Promise<Upload> {
	const id = crypto.randomUUID();
	const writer = new ObjectWriter(bucket, fileKey(id));
	try {
		await writer.write(new Uint8Array(await file.arrayBuffer()));
		const written = await writer.finish();
		return {
			kind: "stored",
			id,
			fileName: displayFileName(file.name || DEFAULT_FILE_NAME),
			...written,
		};
	} catch (error) {
		return { kind: "lost", reason: error instanceof Error ? error.message : String(error) };
	}
}
