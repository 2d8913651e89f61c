/**
 * Removes copies of receipts that no export refers to (docs/decisions/0063). A copy whose receipt
 * is gone gets a note with the date, and is removed once every kept export is newer.
 */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { addDays, parseCalendarDate } from "../../values/calendar-date.ts";
import { RECEIPTS } from "./manifest.ts";
import { exportDates } from "./objects.server.ts";

/** Where the notes are, under the keys of the receipts. */
const NOTES = "unreferenced/";
/** Copies checked per run, and how many of them are acted on. */
const PAGE = 500;
const MAX_COPIES = 100;
/** Longer than D1's 30 days of Time Travel, which may bring a receipt back. */
const NOTED_DAYS = 35;

/** What a run has removed, and the key after which the next one starts; none after the last one. */
export type SweptCopies = { readonly removed: number; readonly next: string | null };

/**
 * Checks the next copies.
 * @param date of the current export
 */
export async function sweepCopies(
	db: Database,
	backups: R2Bucket,
	date: string,
	after: string,
): Promise<SweptCopies> {
	const asked = { prefix: RECEIPTS, limit: PAGE, ...(after ? { startAfter: after } : {}) };
	const page = await backups.list(asked);
	const keys = page.objects.map(({ key }) => key.slice(RECEIPTS.length));
	const { held } = await db.batch({ held: selectHeld(db, keys) });
	const isHeld = new Set(held.map(({ key }) => key));
	const loose = keys.filter((key) => !isHeld.has(key)).slice(0, MAX_COPIES);
	const notes = await notesBetween(backups, after.slice(RECEIPTS.length), keys.at(-1) ?? "");
	// The receipt has come back.
	await removeAll(backups, [...notes.keys()].filter((key) => isHeld.has(key)).map(noteOf));
	const oldest = (await exportDates(backups)).sort()[0] ?? date;
	const gone: string[] = [];
	for (const key of loose) {
		const since = notes.get(key);
		if (since === undefined)
			await backups.put(noteOf(key), "", { customMetadata: { since: date } });
		else if (since < oldest && addDays(parseCalendarDate(since), NOTED_DAYS) < date) gone.push(key);
	}
	// The copy first: a note alone does no harm, and is removed next time.
	await removeAll(
		backups,
		gone.map((key) => RECEIPTS + key),
	);
	await removeAll(backups, gone.map(noteOf));
	const last =
		loose.length === MAX_COPIES ? loose.at(-1) : page.truncated ? keys.at(-1) : undefined;
	return { removed: gone.length, next: last === undefined ? null : RECEIPTS + last };
}

const noteOf = (key: string) => NOTES + key;

/** The notes of the keys after the first and up to the last, with their dates. */
async function notesBetween(bucket: R2Bucket, after: string, last: string) {
	const notes = new Map<string, string>();
	for (let startAfter = noteOf(after); ; ) {
		const asked = { prefix: NOTES, startAfter, include: ["customMetadata"] };
		const page = await bucket.list(asked);
		for (const { key, customMetadata } of page.objects) {
			const name = key.slice(NOTES.length);
			if (name > last) return notes;
			if (customMetadata?.since) notes.set(name, customMetadata.since);
		}
		const end = page.objects.at(-1)?.key;
		if (!page.truncated || end === undefined) return notes;
		startAfter = end;
	}
}

const removeAll = async (bucket: R2Bucket, keys: string[]) => {
	if (keys.length > 0) await bucket.delete(keys);
};

const selectHeld = ({ build }: Database, keys: readonly string[]) =>
	build.all<{ key: string }>(
		sql`select object_key as key from receipts where object_key in (select value from json_each(${JSON.stringify(keys)}))`,
	);
