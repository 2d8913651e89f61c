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
import {
	isWithinQuota,
	type QuotaWords,
	quotaMessage,
	type Sender,
	type StoredFile,
	usedToday,
} from "./commands/receipt-row.server.ts";

/**
 * What a file is for: a driver's form or API request with or without a key, a separate receipt
 * whose key allows only one file, one's own request without a receipt, or what an administrator
 * records about a driver.
 */
export type Purpose =
	| { readonly key: string | undefined }
	| { readonly ownKey: string }
	| { readonly requestId: string }
	| {
			readonly key: string | undefined;
			readonly driverId: string;
			/** Whether there is such a driver. */
			readonly isDriver: SQL;
	  };

type FileToStore = {
	readonly mediaType: StoredFile["mediaType"];
	readonly bytes: Uint8Array<ArrayBuffer>;
	readonly fileName: string;
};

/** The request that a receipt was sent for, as far as it explains a refusal. */
export type IneligibleRequest = {
	readonly number: number;
	readonly status: (typeof REQUEST_STATUSES)[number];
	readonly receiptId: string | null;
};
export type StoreRefusal =
	| Refused<"unavailable", { readonly reason: string }>
	| Refused<"quota", { readonly words: QuotaWords }>
	| Refused<"key-reused">
	| Refused<"unwanted", { readonly request: IneligibleRequest | undefined }>;

/**
 * A UUID derived from a fingerprint, so that the same file of the same form is always the same
 * object.
 */
const uuidOf = (digits: string) =>
	`${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;

/** What makes a resent file the same object; undefined if nothing does. */
function sameAs(sender: Sender, purpose: Purpose): readonly string[] | undefined {
	if ("ownKey" in purpose) return [sender.user.id, "by itself", purpose.ownKey];
	if ("requestId" in purpose) return [sender.user.id, `request:${purpose.requestId}`];
	if (purpose.key === undefined) return undefined;
	return "driverId" in purpose
		? [sender.user.id, `about:${purpose.driverId}`, purpose.key]
		: [sender.user.id, purpose.key];
}

/**
 * Stores a prepared file, unless the quota or its request has no room. An existing object is left
 * alone.
 */
export async function storeFile(
	bucket: R2Bucket,
	sender: Sender,
	file: FileToStore,
	purpose: Purpose,
): Promise<Outcome<StoredFile, StoreRefusal>> {
	const sha256 = encodeHexLowerCase(
		new Uint8Array(await crypto.subtle.digest("SHA-256", file.bytes)),
	);
	const { user } = sender;
	const same = sameAs(sender, purpose) ?? [user.id, crypto.randomUUID()];
	const objectId = uuidOf(await computeFingerprint([...same, sha256]));
	const id = "ownKey" in purpose ? uuidOf(await computeFingerprint(same)) : objectId;
	const { mediaType, fileName } = file;
	const stored: StoredFile = {
		id,
		ownerId: "driverId" in purpose ? purpose.driverId : user.id,
		objectKey: `r/${objectId}`,
		mediaType,
		byteSize: file.bytes.byteLength,
		sha256,
		fileName,
	};
	const reserved = await reserve(sender, stored, purpose);
	if (!reserved.ok) return reserved;
	try {
		await bucket.put(stored.objectKey, file.bytes, {
			onlyIf: { etagDoesNotMatch: "*" },
			sha256,
			httpMetadata: { contentType: mediaType },
		});
	} catch (error) {
		await release(sender, stored);
		return refused("unavailable", {
			reason: error instanceof Error ? error.message : String(error),
		});
	}
	return done(stored);
}

type Facts = {
	isOther: number;
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
	sender: Sender,
	file: StoredFile,
	purpose: Purpose,
): Promise<Outcome<null, StoreRefusal>> {
	const { db, now } = sender;
	const { id, objectKey, ownerId } = file;
	const requestId = "requestId" in purpose ? purpose.requestId : undefined;
	const isWanted =
		"isDriver" in purpose
			? purpose.isDriver
			: requestId === undefined
				? sql`1`
				: sql`exists (select 1 from fund_requests where ${takesReceipt(ownerId, requestId)})`;
	const { facts, request } = await db.batch({
		reservation: db.build.run(sql`
			insert into loose_objects (object_key, owner_id, byte_size, created_at)
			select ${objectKey}, ${ownerId}, ${file.byteSize}, ${now}
			where not exists (select 1 from receipts where object_key = ${objectKey} or id = ${id})
				and ${isWithinQuota(sender, file)} and ${isWanted}
			on conflict (object_key) do update set owner_id = excluded.owner_id, byte_size = excluded.byte_size, created_at = excluded.created_at
				where condemned_at is null`),
		facts: db.build.all<Facts>(sql`
			select exists (select 1 from receipts where id = ${id} and object_key <> ${objectKey}) as isOther,
				exists (select 1 from receipts where object_key = ${objectKey} and owner_id = ${ownerId}) as isKept,
				exists (select 1 from loose_objects where object_key = ${objectKey} and owner_id = ${ownerId} and condemned_at is null) as isReserved,
				exists (select 1 from loose_objects where object_key = ${objectKey} and condemned_at is not null) as isCondemned,
				${isWithinQuota(sender, file)} as hasRoom, ${usedToday(sender, file).files} as files`),
		request: db.build.all<IneligibleRequest>(sql`
			select number, status, receipt_id as receiptId from fund_requests where id = ${requestId ?? ""} and driver_id = ${ownerId}`),
	});
	const seen = facts[0];
	if (seen?.isOther) return refused("key-reused");
	if (seen?.isKept || seen?.isReserved) return done(null);
	if (!seen || seen.isCondemned)
		return refused("unavailable", { reason: `${objectKey} is being swept` });
	const words = seen.hasRoom ? undefined : quotaMessage({ isKept: 0, files: seen.files });
	return words ? refused("quota", { words }) : refused("unwanted", { request: request[0] });
}

/** One's own request that has no receipt and may still get one. */
const takesReceipt = (driverId: string, requestId: string): SQL =>
	sql`id = ${requestId} and driver_id = ${driverId} and status in ('pending', 'approved') and receipt_id is null`;

/** Removes the note if nothing was stored. If that fails too, the sweep finds it. */
async function release({ db, now }: Sender, { objectKey, ownerId }: StoredFile): Promise<void> {
	const note = sql`object_key = ${objectKey} and owner_id = ${ownerId} and created_at = ${now}`;
	await db
		.batch({ release: db.build.run(sql`delete from loose_objects where ${note}`) })
		.catch(() => undefined);
}
