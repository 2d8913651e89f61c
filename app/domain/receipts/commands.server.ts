/** Storing receipt files: the object first, its row in the batch that needs it. An object without a row is swept later; a row never lacks its object. */
import { and, eq, sql } from "drizzle-orm";
import { receipts } from "../../db/schema.ts";
import { startOfDay } from "../../values/calendar-date.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { auditActor } from "../actor.server.ts";
import { auditStatement } from "../audit/entry.server.ts";
import type { AdminContext, DriverContext } from "../context.ts";
import { MOST_BYTES_A_DAY, MOST_FILES_A_DAY } from "./rules.ts";

export type ReceiptRow = typeof receipts.$inferSelect;

/** A file that is in the store and may or may not have its row yet. */
export type StoredFile = {
	readonly id: string;
	readonly objectKey: string;
	readonly mediaType: (typeof receipts.$inferSelect)["mediaType"];
	readonly byteSize: number;
	/** Of the stored bytes, hex. */
	readonly sha256: string;
	readonly fileName: string;
};

const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A UUID made of a fingerprint, so that the same file of the same form is the same object however often it is sent. */
const uuidOf = (digits: string) =>
	`${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;

/**
 * Puts a prepared file into the store. A file that is there already is left alone.
 * @param key the form's submission key; without one the file is taken for a new one
 */
export async function storeFile(
	bucket: R2Bucket,
	{ user }: DriverContext,
	file: { readonly mediaType: StoredFile["mediaType"]; readonly bytes: Uint8Array<ArrayBuffer>; readonly fileName: string },
	key: string | undefined,
): Promise<Outcome<StoredFile, Refused<"unavailable", { readonly reason: string }>>> {
	const sha256 = hex(await crypto.subtle.digest("SHA-256", file.bytes));
	const id = uuidOf(await fingerprintOf([user.id, key ?? crypto.randomUUID(), sha256]));
	const objectKey = `r/${id}`;
	try {
		await bucket.put(objectKey, file.bytes, { onlyIf: { etagDoesNotMatch: "*" }, sha256, httpMetadata: { contentType: file.mediaType } });
	} catch (error) {
		return refused("unavailable", { reason: error instanceof Error ? error.message : String(error) });
	}
	return done({ id, objectKey, mediaType: file.mediaType, byteSize: file.bytes.byteLength, sha256, fileName: file.fileName });
}

/** Writes a stored file's row, within the quota of the fleet's calendar date; a row that is there already stays as it is. */
export function receiptRowStatement(driver: DriverContext, file: StoredFile) {
	const { db, user, now } = driver;
	const today = sql`from receipts where ${ofToday(driver)}`;
	return db.build.run(sql`
		insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		select ${file.id}, ${user.id}, ${file.objectKey}, ${file.mediaType}, ${file.byteSize}, ${file.sha256}, ${file.fileName}, ${now}
		where (select count(*) ${today}) < ${MOST_FILES_A_DAY} and (select coalesce(sum(byte_size), 0) ${today}) + ${file.byteSize} <= ${MOST_BYTES_A_DAY}
		on conflict do nothing`);
}

const ofToday = ({ user, timeZone, today }: DriverContext) => sql`owner_id = ${user.id} and created_at >= ${startOfDay(timeZone, today)}`;

/** Whether a file's row is there, and how many files its owner has sent today: asked after `receiptRowStatement`, in its batch. */
export function receiptRowKept(driver: DriverContext, file: StoredFile) {
	return driver.db.build.all<{ isKept: number; files: number }>(sql`
		select exists (select 1 from receipts where id = ${file.id} and owner_id = ${driver.user.id}) as isKept,
			(select count(*) from receipts where ${ofToday(driver)}) as files`);
}

/** Which quota kept a file's row out; `undefined` when the row is there. */
export function quotaWords(kept: { readonly isKept: number; readonly files: number } | undefined): QuotaWords | undefined {
	if (!kept || kept.isKept) return undefined;
	return kept.files >= MOST_FILES_A_DAY ? "filesToday" : "bytesToday";
}
export type QuotaWords = "filesToday" | "bytesToday";

/** Writes a stored file's row by itself: an upload before its request. Refused when the day's quota is used up. */
export async function keepFile(
	driver: DriverContext,
	file: StoredFile,
): Promise<Outcome<ReceiptRow, Refused<"quota", { readonly words: QuotaWords }>>> {
	const { db, user } = driver;
	const { rows, kept } = await db.batch({
		insert: receiptRowStatement(driver, file),
		rows: db.build
			.select()
			.from(receipts)
			.where(and(eq(receipts.id, file.id), eq(receipts.ownerId, user.id))),
		kept: receiptRowKept(driver, file),
	});
	return rows[0] ? done(rows[0]) : refused("quota", { words: quotaWords(kept[0]) ?? "filesToday" });
}

/** Notes in the audit that an administrator has opened a receipt. */
export async function recordView(admin: AdminContext, receiptId: string): Promise<void> {
	await admin.db.batch({
		audit: auditStatement(
			admin.db.build,
			auditActor(admin),
			{ action: "receipt.view", entity: "receipt" },
			receipts,
			eq(receipts.id, receiptId),
		),
	});
}
