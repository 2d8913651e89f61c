/** The receipt file of a form or a call: taken out of it, checked and cleaned, and put into the file store. */
import type { DriverContext } from "../domain/context.ts";
import { type StoredFile, storeFile } from "../domain/receipts/commands.server.ts";
import { prepareReceipt } from "../domain/receipts/prepare.ts";
import { REFUSALS, type ReceiptRefusal, type RefusalWords } from "../domain/receipts/rules.ts";
import { type Outcome, type Refused, refused } from "../values/outcome.ts";
import type { RequestContext } from "./context.server.ts";

export type UploadRefusal = ReceiptRefusal | Refused<"store-down", { readonly message: string; readonly words: RefusalWords }>;

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
	const prepared = prepareReceipt(new Uint8Array(await file.arrayBuffer()), file.name);
	if (!prepared.ok) return prepared;
	// Nothing here shares memory, which is all that the narrower type asks.
	const bytes = prepared.value.bytes as Uint8Array<ArrayBuffer>;
	const stored = await storeFile(context.env.RECEIPTS, driver, { ...prepared.value, bytes }, key);
	if (stored.ok) return stored;
	console.error(JSON.stringify({ level: "error", requestId: context.requestId, fileStore: stored.details.reason.slice(0, 256) }));
	return refused("store-down", { message: REFUSALS.storeDown, words: "storeDown" });
}
