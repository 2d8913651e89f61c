/** The receipt file of a form or an API request: checked, cleaned, and stored. */
import type { SQL } from "drizzle-orm";
import { type Outcome, type Refused, refused } from "../../values/outcome.ts";
import type { AdminContext, DriverContext } from "../kernel/context.ts";
import type { Sender, StoredFile } from "./commands/receipt-row.server.ts";
import { type DelayCode, REFUSALS, type ReceiptRefusal } from "./refusals.ts";
import { type IneligibleRequest, type Purpose, storeFile } from "./store-file.server.ts";

type InWords = { readonly message: string; readonly words: DelayCode };
export type UploadRefusal =
	| ReceiptRefusal
	| Refused<"store-down", InWords>
	| Refused<"quota", InWords>;
/** The request can't have a receipt; absent if it isn't the driver's. */
export type ReceiptNotAllowed = Refused<
	"unwanted",
	{ readonly request: IneligibleRequest | undefined }
>;

/**
 * Checks a file and stores it; the caller writes its row.
 * @param key makes a resent file the same receipt
 */
export async function storeUpload(
	bucket: R2Bucket,
	driver: DriverContext,
	file: File,
	key: string | undefined,
): Promise<Outcome<StoredFile, UploadRefusal>> {
	const stored = await store(bucket, driver, file, { key });
	if (stored.ok || stored.reason !== "unwanted") return stored;
	throw new Error("only a file for a request can be unwanted");
}

/**
 * Checks a file and stores it, if one's own request can still have a receipt; the caller writes its
 * row.
 */
export function storeUploadFor(
	requestId: string,
	bucket: R2Bucket,
	driver: DriverContext,
	file: File,
): Promise<Outcome<StoredFile, UploadRefusal | ReceiptNotAllowed>> {
	return store(bucket, driver, file, { requestId });
}

/**
 * Checks a file and stores it as a driver's, for an administrator; the caller writes its row.
 * @param about the driver, whether there is one, and what makes a resent file the same receipt
 */
export function storeUploadAbout(
	about: { readonly driverId: string; readonly isDriver: SQL; readonly key: string | undefined },
	bucket: R2Bucket,
	admin: AdminContext,
	file: File,
): Promise<Outcome<StoredFile, UploadRefusal | ReceiptNotAllowed>> {
	return store(bucket, admin, file, about);
}

async function store(
	bucket: R2Bucket,
	sender: Sender,
	file: File,
	purpose: Purpose,
): Promise<Outcome<StoredFile, UploadRefusal | ReceiptNotAllowed>> {
	// Loaded with the first file: reading pictures and PDFs is a lot of code.
	const { prepareReceipt } = await import("./prepare.ts");
	const prepared = prepareReceipt(
		new Uint8Array(await file.arrayBuffer()),
		file.name,
		sender.settings.receiptMegabytes,
	);
	if (!prepared.ok) return prepared;
	// The narrower type only excludes shared memory, which isn't used here.
	const bytes = prepared.value.bytes as Uint8Array<ArrayBuffer>;
	const stored = await storeFile(bucket, sender, { ...prepared.value, bytes }, purpose);
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
			console.error(JSON.stringify({ level: "error", requestId: sender.requestId, fileStore }));
			sender.reportFault(new Error(fileStore));
			return refused("store-down", { message: REFUSALS.storeDown, words: "storeDown" });
		}
	}
}
