/**
 * The rows of receipt files, written in the batch that needs them. The object is already in the
 * store, so no row lacks its object.
 */
import { type SQL, sql } from "drizzle-orm";
import type { receipts } from "../../../db/schema.ts";
import { startOfDay } from "../../../values/calendar-date.ts";
import { hasAccess } from "../../kernel/actor.server.ts";
import type { AdminContext, DriverContext } from "../../kernel/context.ts";
import { MAX_FILES_PER_DAY } from "../../kernel/limits.ts";
import { MAX_BYTES_PER_DAY } from "../rules.ts";

export type ReceiptRow = typeof receipts.$inferSelect;

/** Who sends a file: a driver their own, or an administrator a driver's. */
export type Sender = DriverContext | AdminContext;

/** A file in the store, with or without a row. */
export type StoredFile = {
	readonly id: string;
	/** The driver whose receipt it is. */
	readonly ownerId: string;
	readonly objectKey: string;
	readonly mediaType: (typeof receipts.$inferSelect)["mediaType"];
	readonly byteSize: number;
	/** Of the stored bytes, hex. */
	readonly sha256: string;
	readonly fileName: string;
};

/**
 * Writes a stored file's row and returns its id, within the quota of the fleet's calendar date; an
 * existing row is unchanged and returns nothing. A file that was reserved before it was stored always
 * fits. Nobody who lost access meanwhile gets a row.
 */
export function receiptRowStatement(sender: Sender, file: StoredFile) {
	const { db, now } = sender;
	return db.build.all<{ id: string }>(sql`
		insert into receipts (id, owner_id, object_key, media_type, byte_size, sha256, file_name, created_at)
		select ${file.id}, ${file.ownerId}, ${file.objectKey}, ${file.mediaType}, ${file.byteSize}, ${file.sha256}, ${file.fileName}, ${now}
		where ${isWithinQuota(sender, file)} and ${hasAccess(sender)}
		on conflict do nothing returning id`);
}

type Counted = Pick<StoredFile, "ownerId" | "objectKey">;

/** What the quota counts: what its owner has stored today, and what is being stored. */
const isOtherFromToday = ({ timeZone, today }: Sender, { ownerId, objectKey }: Counted) =>
	sql`owner_id = ${ownerId} and created_at >= ${startOfDay(timeZone, today)}
		and object_key <> ${objectKey}`;

/** The number and bytes of the owner's other files today. */
export function usedToday(sender: Sender, file: Counted) {
	const others = isOtherFromToday(sender, file);
	return {
		files: sql`((select count(*) from receipts where ${others}) + (select count(*) from loose_objects where ${others}))`,
		bytes: sql`((select coalesce(sum(byte_size), 0) from receipts where ${others}) + (select coalesce(sum(byte_size), 0) from loose_objects where ${others}))`,
	};
}

/** Whether the day's quota has room for a file. */
export function isWithinQuota(sender: Sender, file: Counted & Pick<StoredFile, "byteSize">): SQL {
	const { files, bytes } = usedToday(sender, file);
	return sql`${files} < ${MAX_FILES_PER_DAY} and ${bytes} + ${file.byteSize} <= ${MAX_BYTES_PER_DAY}`;
}

/**
 * Whether a file's row exists, and how many files its owner has today: read after
 * `receiptRowStatement`, in its batch.
 */
export function selectReceiptRowState(sender: Sender, file: StoredFile) {
	return sender.db.build.all<{ isKept: number; files: number }>(sql`
		select exists (select 1 from receipts where id = ${file.id} and owner_id = ${file.ownerId}) as isKept,
			${usedToday(sender, file).files} as files`);
}

/** Which quota prevented a file's row; `undefined` if the row exists. */
export function quotaMessage(
	kept: { readonly isKept: number; readonly files: number } | undefined,
): QuotaWords | undefined {
	if (!kept || kept.isKept) return undefined;
	return kept.files >= MAX_FILES_PER_DAY ? "filesToday" : "bytesToday";
}
export type QuotaWords = "filesToday" | "bytesToday";
