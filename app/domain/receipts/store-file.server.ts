/**
 * Stores a receipt file: its place in the day's quota is reserved first, then the object is stored.
 * Refused files are never stored, however many arrive at once; interrupted ones are noted in
 * `loose_objects` and swept (docs/decisions/0022).
 */
import { encodeHexLowerCase } from "@oslojs/encoding";
import { type SQL, sql } from "drizzle-orm";
import type { REQUEST_STATUSES } from "../../db/schema.ts";
import { computeFingerprint } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import type { DriverContext } from "../kernel/context.ts";
import {
	isWithinQuota,
	type QuotaWords,
	quotaMessage,
	type StoredFile,
	usedToday,
} from "./commands/receipt-row.server.ts";

/**
 * What a file is for: a form or API request with a key, one's own request without a receipt, or
 * neither.
 */
export type Purpose = { readonly key: string | undefined } | { readonly requestId: string };

type FileToStore = {
	readonly mediaType: StoredFile["mediaType"];
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly fileName: string;
};

/** The request a receipt was sent for, as far as it explains a refusal. */
export type IneligibleRequest = {
	readonly number: number;
	readonly status: (typeof REQUEST_STATUSES)[number];
	readonly receiptId: string | null;
};
export type StoreRefusal =
	| Refused<"unavailable", { readonly reason: string }>
	| Refused<"quota", { readonly words: QuotaWords }>
	| Refused<"unwanted", { readonly request: IneligibleRequest | undefined }>;

/**
 * A UUID derived from a fingerprint, so that the same file of the same form is always the same
 * object.
 */
const uuidOf = (digits: string) =>
	`${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;

/**
 * Stores a prepared file, unless the quota or its request has no room. An existing object is left
 * alone.
 */
export async function storeFile(
	bucket: R2Bucket,
	driver: DriverContext,
	file: FileToStore,
	purpose: Purpose,
): Promise<Outcome<StoredFile, StoreRefusal>> {
	const sha256 = encodeHexLowerCase(
		new Uint8Array(await crypto.subtle.digest("SHA-256", file.bytes)),
	);
	const key = "key" in purpose ? purpose.key : `request:${purpose.requestId}`;
	const id = uuidOf(await computeFingerprint([driver.user.id, key ?? crypto.randomUUID(), sha256]));
	const { mediaType, fileName } = file;
	const stored: StoredFile = {
		id,
		objectKey: `r/${id}`,
		mediaType,
		byteSize: file.bytes.byteLength,
		sha256,
		fileName,
	};
	const reserved = await reserve(driver, stored, purpose);
	if (!reserved.ok) return reserved;
	try {
		await bucket.put(stored.objectKey, file.bytes, {
			onlyIf: { etagDoesNotMatch: "*" },
			sha256,
			httpMetadata: { contentType: mediaType },
		});
	} catch (error) {
		await release(driver, stored);
		return refused("unavailable", {
			reason: error instanceof Error ? error.message : String(error),
		});
	}
	return done(stored);
}

type Facts = {
	isKept: number;
	isReserved: number;
	isCondemned: number;
	hasRoom: number;
	files: number;
};

/**
 * Notes an object before it is stored, in the statement that checks the quota. A file that has its
 * row needs no note.
 */
async function reserve(
	driver: DriverContext,
	file: StoredFile,
	purpose: Purpose,
): Promise<Outcome<null, StoreRefusal>> {
	const { db, user, now } = driver;
	const { objectKey } = file;
	const requestId = "requestId" in purpose ? purpose.requestId : undefined;
	const { facts, request } = await db.batch({
		reservation: db.build.run(sql`
			insert into loose_objects (object_key, owner_id, byte_size, created_at)
			select ${objectKey}, ${user.id}, ${file.byteSize}, ${now}
			where not exists (select 1 from receipts where object_key = ${objectKey}) and ${isWithinQuota(driver, file)}
				${requestId === undefined ? sql`` : sql`and exists (select 1 from fund_requests where ${takesReceipt(driver, requestId)})`}
			on conflict (object_key) do update set owner_id = excluded.owner_id, byte_size = excluded.byte_size, created_at = excluded.created_at
				where condemned_at is null`),
		facts: db.build.all<Facts>(sql`
			select exists (select 1 from receipts where object_key = ${objectKey} and owner_id = ${user.id}) as isKept,
				exists (select 1 from loose_objects where object_key = ${objectKey} and owner_id = ${user.id} and condemned_at is null) as isReserved,
				exists (select 1 from loose_objects where object_key = ${objectKey} and condemned_at is not null) as isCondemned,
				${isWithinQuota(driver, file)} as hasRoom, ${usedToday(driver, file).files} as files`),
		request: db.build.all<IneligibleRequest>(sql`
			select number, status, receipt_id as receiptId from fund_requests where id = ${requestId ?? ""} and driver_id = ${user.id}`),
	});
	const seen = facts[0];
	if (seen?.isKept || seen?.isReserved) return done(null);
	if (!seen || seen.isCondemned)
		return refused("unavailable", { reason: `${objectKey} is being swept` });
	const words = seen.hasRoom ? undefined : quotaMessage({ isKept: 0, files: seen.files });
	return words ? refused("quota", { words }) : refused("unwanted", { request: request[0] });
}

/** One's own request that has no receipt and may still get one. */
const takesReceipt = ({ user }: DriverContext, requestId: string): SQL =>
	sql`id = ${requestId} and driver_id = ${user.id} and status in ('pending', 'approved') and receipt_id is null`;

/** Removes the note if nothing was stored. If that fails too, the sweep finds it. */
async function release({ db, user, now }: DriverContext, { objectKey }: StoredFile): Promise<void> {
	const note = sql`object_key = ${objectKey} and owner_id = ${user.id} and created_at = ${now}`;
	await db
		.batch({ release: db.build.run(sql`delete from loose_objects where ${note}`) })
		.catch(() => undefined);
}
