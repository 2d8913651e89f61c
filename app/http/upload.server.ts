/** The receipt file of a form or a call: taken out of it, checked and cleaned, and put into the file store. */
import type { DriverContext } from "../domain/context.ts";
import type { StoredFile } from "../domain/receipts/commands/receipt-row.server.ts";
import { prepareReceipt } from "../domain/receipts/prepare.ts";
import { REFUSALS, type ReceiptRefusal, type RefusalWords } from "../domain/receipts/rules.ts";
import { type Purpose, storeFile, type UnfitRequest } from "../domain/receipts/storing.server.ts";
import { type Outcome, type Refused, refused } from "../values/outcome.ts";
import type { RequestContext } from "./context.server.ts";

type InWords = { readonly message: string; readonly words: RefusalWords };
export type UploadRefusal = ReceiptRefusal | Refused<"store-down", InWords> | Refused<"quota", InWords>;
/** The request that a receipt was sent for takes none; absent when it is not the driver's. */
export type UnwantedReceipt = Refused<"unwanted", { readonly request: UnfitRequest | undefined }>;

/** The first file under one of these names; a field in which nothing was chosen holds none. */
export async function fileOf(context: RequestContext, names: readonly string[]): Promise<File | undefined> {
	const form = await context.form();
	for (const name of names) {
		for (const value of form.getAll(name)) {
			if (typeof value !== "string" && (value.size > 0 || value.name !== "")) return value;
		}
	}
	return undefined;
}

/**
 * Checks a file and stores it; its row is the caller's to write.
 * @param key what makes a resend of the same file the same receipt
 */
export async function storeUpload(
	context: RequestContext,
	driver: DriverContext,
	file: File,
	key: string | undefined,
): Promise<Outcome<StoredFile, UploadRefusal>> {
	const stored = await store(context, driver, file, { key });
	if (stored.ok || stored.reason !== "unwanted") return stored;
	throw new Error("a file that is for no request cannot be unwanted by one");
}

/** Checks a file and stores it, if one's own request still takes a receipt; its row is the caller's to write. */
export function storeUploadFor(
	requestId: string,
	context: RequestContext,
	driver: DriverContext,
	file: File,
): Promise<Outcome<StoredFile, UploadRefusal | UnwantedReceipt>> {
	return store(context, driver, file, { requestId });
}

async function store(
	context: RequestContext,
	driver: DriverContext,
	file: File,
	purpose: Purpose,
): Promise<Outcome<StoredFile, UploadRefusal | UnwantedReceipt>> {
	const prepared = prepareReceipt(new Uint8Array(await file.arrayBuffer()), file.name);
	if (!prepared.ok) return prepared;
	// Nothing here shares memory, which is all that the narrower type asks.
	const bytes = prepared.value.bytes as Uint8Array<ArrayBuffer>;
	const stored = await storeFile(context.env.RECEIPTS, driver, { ...prepared.value, bytes }, purpose);
	if (stored.ok) return stored;
	switch (stored.reason) {
		case "unwanted":
			return stored;
		case "quota": {
			const { words } = stored.details;
			return refused("quota", { message: REFUSALS[words], words });
		}
		case "unavailable": {
			const fileStore = stored.details.reason.slice(0, 256);
			console.error(JSON.stringify({ level: "error", requestId: context.requestId, fileStore }));
			return refused("store-down", { message: REFUSALS.storeDown, words: "storeDown" });
		}
	}
}
