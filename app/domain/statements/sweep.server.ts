/**
 * Sweeps expired statements and the remains of interrupted imports. It runs every minute, in
 * bounded steps.
 */
import { eq, inArray, sql } from "drizzle-orm";
import { dailyTasks, statementFiles } from "../../db/schema.ts";
import type { SystemContext } from "../kernel/context.ts";
import { IS_ONLY_STAGED } from "./money-store.server.ts";
import { fileKey, readingKey } from "./object-writer.server.ts";
import { WAITING_MS } from "./waiting.server.ts";

/** The prefix of waiting statements in the file store. */
const PREFIX = "s/";
/** Statements, imports and objects per step, and rows deleted of an import. */
const STEP = 50;
const ROWS = 20_000;
/** No request lives this long, in milliseconds. */
const BROKEN_AFTER_MS = WAITING_MS;

/** The position of the walk over the objects. */
const WALK = "statement-objects";
const isWalk = eq(dailyTasks.name, WALK);

/** Takes one step; the next minute takes the next one. */
export async function sweepStatements(system: SystemContext, bucket: R2Bucket): Promise<void> {
	await sweepFiles(system, bucket);
	await sweepObjects(system, bucket);
	await sweepStaging(system);
}

/** Removes expired statements, with their objects. */
async function sweepFiles({ db, now }: SystemContext, bucket: R2Bucket): Promise<void> {
	const { over } = await db.batch({
		over: db.build.all<{ id: string }>(
			sql`select id from statement_files where expires_at < ${now} limit ${STEP}`,
		),
	});
	if (over.length === 0) return;
	await bucket.delete(over.flatMap(({ id }) => [fileKey(id), readingKey(id)]));
	const ids = over.map(({ id }) => id);
	await db.batch({ gone: db.build.delete(statementFiles).where(inArray(statementFiles.id, ids)) });
}

/** Removes objects without a statement, after an interrupted request. */
async function sweepObjects({ db, now }: SystemContext, bucket: R2Bucket): Promise<void> {
	const { place } = await db.batch({
		place: db.build.select({ cursor: dailyTasks.cursor }).from(dailyTasks).where(isWalk),
	});
	const after = place[0]?.cursor;
	const { objects, truncated } = await bucket.list({
		prefix: PREFIX,
		limit: 2 * STEP,
		...(after ? { startAfter: after } : {}),
	});
	// The next minute continues after these, so that new ones don't hide old ones.
	const next = truncated ? (objects.at(-1)?.key ?? null) : null;
	if (next !== (after ?? null))
		await db.batch({
			walk: db.build
				.insert(dailyTasks)
				.values({ name: WALK, cursor: next })
				.onConflictDoUpdate({ target: dailyTasks.name, set: { cursor: next } }),
		});
	const old = objects.filter(({ uploaded }) => uploaded.getTime() < now - 2 * WAITING_MS);
	if (old.length > 0) await bucket.delete(old.map(({ key }) => key));
}

/** Removes what was staged for an abandoned import. */
async function sweepStaging({ db, now }: SystemContext): Promise<void> {
	const { build } = db;
	const broken = sql`select id from staged_imports where created_at < ${now - BROKEN_AFTER_MS}
		limit ${STEP}`;
	const lines = sql`select import_id, line_key from statement_lines
		where import_id in (${broken}) and ${IS_ONLY_STAGED} limit ${ROWS}`;
	const fees = sql`select import_id, fee_id from staged_fees where import_id in (${broken})
		limit ${ROWS}`;
	const money = sql`select import_id, row_key from statement_money
		where import_id in (${broken}) and ${IS_ONLY_STAGED} limit ${ROWS}`;
	const { begun } = await db.batch({
		begun: build.all<{ id: string }>(broken),
	});
	if (begun.length === 0) return;
	await db.batch({
		lines: build.run(sql`delete from statement_lines where (import_id, line_key) in (${lines})`),
		money: build.run(sql`delete from statement_money where (import_id, row_key) in (${money})`),
		fees: build.run(sql`delete from staged_fees where (import_id, fee_id) in (${fees})`),
		imports: build.run(sql`delete from staged_imports where id in (${broken})
			and not exists (select 1 from staged_fees where import_id = staged_imports.id)
			and not exists (select 1 from statement_money where import_id = staged_imports.id
				and ${IS_ONLY_STAGED})
			and not exists (select 1 from statement_lines
				where import_id = staged_imports.id and ${IS_ONLY_STAGED})`),
	});
}
