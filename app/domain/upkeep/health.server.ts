/** Checks the parts that Milepost depends on: the database, the file store and the mail queue. */
import { sql } from "drizzle-orm";
import { Database } from "../../db/client.server.ts";

/** The response to a monitor. `schema` is the newest migration; null while the database is down. */
export type Health = {
	readonly status: "ok" | "failing";
	readonly database: "ok" | "failing";
	readonly receipts: "ok" | "failing";
	readonly schema: string | null;
	/**
	 * How long the oldest unsent email is overdue, counted from its first try if there was one; 0 if
	 * none is, or none can be sent.
	 */
	readonly emailDelaySeconds: number | null;
};

/** Checks closer together than this share a result, in milliseconds. */
const SHARED_FOR_MS = 1000;
/** A part that takes longer is failing, in milliseconds. */
const TIMEOUT_MS = 5000;
const POLL_MS = 20;
/** How many waiting emails a check reads, those due first. */
const MAX_EMAILS = 300;

/** This isolate's last check: however many monitors ask, the database is asked once a second. */
let last: { readonly startedAt: number; health?: Health } | undefined;

/**
 * Checks every part, or returns a check of less than a second ago.
 * @param sendsMail false if no provider is configured: then nothing is overdue
 */
export async function checkHealth(
	binding: D1Database,
	bucket: R2Bucket,
	sendsMail: boolean,
	now: number,
): Promise<Health> {
	const recent = last;
	if (recent && Math.abs(now - recent.startedAt) < SHARED_FOR_MS) {
		// Another request is checking, but Workers must not wait for each other's promises.
		for (let waited = 0; waited <= TIMEOUT_MS; waited += POLL_MS) {
			if (recent.health) return recent.health;
			await pause(POLL_MS);
		}
	}
	const check: NonNullable<typeof last> = { startedAt: now };
	last = check;
	const [database, receipts] = await Promise.all([
		answerOf(readDatabase(binding, sendsMail, now)),
		answerOf(bucket.head("healthz").then(() => true)),
	]);
	check.health = {
		status: database && receipts ? "ok" : "failing",
		database: database ? "ok" : "failing",
		receipts: receipts ? "ok" : "failing",
		schema: database?.schema ?? null,
		emailDelaySeconds: database?.emailDelaySeconds ?? null,
	};
	return check.health;
}

const pause = (milliseconds: number) =>
	new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds, undefined));

/** A part's answer; undefined if it fails or is late. */
async function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
	return Promise.race([asked.catch(() => undefined), pause(TIMEOUT_MS)]);
}

async function readDatabase(binding: D1Database, sendsMail: boolean, now: number) {
	const db = new Database(binding, undefined, 1);
	const { schema, overdue } = await db.batch({
		// wrangler's own table: the newest migration has the highest number.
		schema: db.build.all<{ name: string }>(
			sql`select name from d1_migrations where id = (select max(id) from d1_migrations)`,
		),
		// Retries postpone send_after: only the first try tells how long a provider has refused.
		overdue: db.build.all<{ since: number | null }>(sql`
			select min(coalesce(first_tried_at, send_after)) as since from (
				select first_tried_at, send_after from mails where status = 'queued'
				order by send_after limit ${MAX_EMAILS})`),
	});
	const since = overdue[0]?.since ?? now;
	return {
		schema: schema[0]?.name.replace(/\.sql$/, "") ?? null,
		emailDelaySeconds: sendsMail ? Math.max(0, Math.floor((now - since) / 1000)) : 0,
	};
}
