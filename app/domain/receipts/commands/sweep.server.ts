/**
 * Deletes objects without a reference, and receipts that were never attached to a
 * request or a charge (docs/decisions/0022).
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import type { SystemContext } from "../../kernel/context.ts";
import { STEP_LIMIT_MS } from "../../kernel/daily-task.server.ts";

/**
 * How long an unreferenced file is kept, in milliseconds: longer than D1's 30 days of Time Travel.
 */
export const GRACE_MS = 35 * 86_400_000;
/** The prefix of receipts in the store; nothing else is walked. */
const PREFIX = "r/";
/** Objects per page. */
const PAGE = 500;

const among = (keys: readonly string[]) =>
	sql`object_key in (select value from json_each(${JSON.stringify(keys)}))`;

/** The date of a note whose object must go at once, however new. */
const AT_ONCE = 0;

/**
 * Deletes someone's receipts, and leaves notes by which the next sweep deletes their objects.
 * @param owner their id
 */
export const forgetReceipts = (build: Builder, owner: SQL) => ({
	noted: build.run(sql`insert into loose_objects (object_key, byte_size, created_at)
		select object_key, byte_size, ${AT_ONCE} from receipts where owner_id = ${owner}
		on conflict (object_key) do update set owner_id = null, created_at = excluded.created_at`),
	reserved: build.run(sql`update loose_objects set owner_id = null, created_at = ${AT_ONCE}
		where owner_id = ${owner}`),
	receipts: build.run(sql`delete from receipts where owner_id = ${owner}`),
});

/** Deletes the objects of receipts that were erased; a note stays until its object is gone. */
export async function deleteErased({ db }: SystemContext, bucket: R2Bucket): Promise<void> {
	for (;;) {
		const { erased } = await db.batch({
			erased: db.build.all<{ key: string }>(sql`select object_key as key from loose_objects
				where created_at = ${AT_ONCE} limit ${PAGE}`),
		});
		if (erased.length === 0) return;
		const keys = erased.map(({ key }) => key);
		await bucket.delete(keys);
		await db.batch({
			done: db.build.run(sql`delete from loose_objects
				where created_at = ${AT_ONCE} and ${among(keys)}`),
		});
	}
}

/** What was removed, and the key after which the next page starts; none after the last page. */
export type SweptPage = {
	readonly objects: number;
	readonly receipts: number;
	readonly next: string | null;
};

/**
 * Deletes expired notes, whose objects the sweep finds. Notes of an interrupted deletion are
 * deleted at once.
 */
export async function forgetOldNotes({ db, now }: SystemContext): Promise<void> {
	const { build } = db;
	const old = sql`select object_key from loose_objects where created_at > ${AT_ONCE} and created_at < ${now - GRACE_MS} limit ${PAGE}`;
	const broken = sql`select object_key from loose_objects where condemned_at < ${now - STEP_LIMIT_MS} limit ${PAGE}`;
	await db.batch({
		old: build.run(sql`delete from loose_objects where object_key in (${old})`),
		broken: build.run(sql`delete from loose_objects where object_key in (${broken})`),
	});
}

/**
 * Sweeps one page of the store, in the order of its keys.
 * @param after the last key of the previous page
 */
export async function sweepPage(
	system: SystemContext,
	bucket: R2Bucket,
	after: string | null,
): Promise<SweptPage> {
	const { db, now } = system;
	const page = await bucket.list({
		prefix: PREFIX,
		limit: PAGE,
		...(after === null ? {} : { startAfter: after }),
	});
	const old = page.objects
		.filter(({ uploaded }) => uploaded.getTime() < now - GRACE_MS)
		.map(({ key }) => key);
	const next = page.truncated ? (page.objects.at(-1)?.key ?? null) : null;
	if (old.length === 0) return { objects: 0, receipts: 0, next };
	const { removed, condemned } = await condemn(system, old);
	if (condemned.length > 0) {
		await bucket.delete(condemned);
		await db.batch({
			done: db.build.run(
				sql`delete from loose_objects where condemned_at = ${now} and ${among(condemned)}`,
			),
		});
	}
	return { objects: condemned.length, receipts: removed, next };
}

const isAttached = sql`(exists (select 1 from fund_requests where receipt_id = receipts.id)
	or exists (select 1 from charges where receipt_id = receipts.id))`;

/**
 * Decides in one batch which of these keys to remove. A receipt that was never attached loses its
 * row, and its object waits under a note for as long again; an object with neither row nor note is
 * condemned, and nothing can use its key until it is deleted.
 */
async function condemn({ db, now }: SystemContext, keys: readonly string[]) {
	const { build } = db;
	const { removed, condemned } = await db.batch({
		loosened: build.run(sql`
			insert into loose_objects (object_key, byte_size, created_at)
			select object_key, byte_size, ${now} from receipts
			where ${among(keys)} and created_at < ${now - GRACE_MS} and not ${isAttached}
			on conflict (object_key) do update set owner_id = null, created_at = excluded.created_at`),
		removed: build.all<{ id: string }>(sql`
			delete from receipts where ${among(keys)} and not ${isAttached}
				and exists (select 1 from loose_objects note where note.object_key = receipts.object_key and note.created_at = ${now})
			returning id`),
		condemn: build.run(sql`
			insert into loose_objects (object_key, byte_size, created_at, condemned_at)
			select value, 0, ${now}, ${now} from json_each(${JSON.stringify(keys)})
			where not exists (select 1 from receipts where object_key = value)
			on conflict (object_key) do nothing`),
		condemned: build.all<{ key: string }>(
			sql`select object_key as key from loose_objects where condemned_at = ${now} and ${among(keys)}`,
		),
	});
	return { removed: removed.length, condemned: condemned.map(({ key }) => key) };
}
