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
/** The key was used for another file. */
type KeyReused = Refused<"key-reused">;
/** The request can't have a receipt; absent if it isn't the driver's. */
export type ReceiptNotAllowed = Refused<
	"unwanted",
	{ readonly request: IneligibleRequest | undefined }
>;

/**
 * Checks a file and stores it; the caller writes its row.
 * @param key makes a resent file the same receipt
 */
export function storeUpload(
	bucket: R2Bucket,
	driver: DriverContext,
	file: File,
	key: string | undefined,
): Promise<Outcome<StoredFile, UploadRefusal>> {
	return store(bucket, driver, file, { key });
}

/**
 * Checks a file and stores it as a receipt by itself; the caller writes its row.
 * @param ownKey makes a resent file the same receipt; it is refused with another file
 */
export function storeUploadAlone(
	bucket: R2Bucket,
	driver: DriverContext,
	file: File,
	ownKey: string | undefined,
): Promise<Outcome<StoredFile, UploadRefusal | KeyReused>> {
	return store(bucket, driver, file, ownKey === undefined ? { key: undefined } : { ownKey });
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

/** What a purpose can be refused for, beside the file. */
type RefusedFor<P extends Purpose> =
	| (P extends { readonly ownKey: string } ? KeyReused : never)
	| (P extends { readonly requestId: string } | { readonly driverId: string }
			? ReceiptNotAllowed
			: never);

async function store<P extends Purpose>(
	bucket: R2Bucket,
	sender: Sender,
	file: File,
	purpose: P,
): Promise<Outcome<StoredFile, UploadRefusal | RefusedFor<P>>> {
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
		case "key-reused":
			return stored as RefusedFor<P>;
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
