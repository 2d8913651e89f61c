/**
 * The daily sweep: deletes unreferenced files, expired sessions and sign-in attempts, and what is
 * left of canceled invitations, and cancels failed emails that no longer apply.
 */
import { inArray, sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { mails, notices, sessions, signInAttempts } from "../../db/schema.ts";
import { type CalendarDate, dateIn } from "../../values/calendar-date.ts";
import { systemEntry } from "../kernel/audit-entry.server.ts";
import type { SystemContext } from "../kernel/context.ts";
import { claimStep, continueStatement, finishStatement } from "../kernel/daily-task.server.ts";
import { cancelPastMails } from "../mail/past.server.ts";
import { eraseInvitations } from "../personal-data/commands/erase-invitations.server.ts";
import { deleteErased, forgetOldNotes, sweepPage } from "../receipts/commands/sweep.server.ts";

const NAME = "sweep";
/** Pages of the file store per run. */
const PAGES_PER_RUN = 2;
const DAY_MS = 86_400_000;
/** Rows deleted per trip, and trips per run. */
const ROWS_PER_TRIP = 500;
const TRIPS_PER_RUN = 10;
/** How long a sign-in attempt is kept, in milliseconds: twice as long as it is valid. */
const ATTEMPT_MS = 20 * 60_000;

/** What a day's sweep has removed. */
export type SweepCounts = {
	readonly objects: number;
	readonly receipts: number;
	readonly sessions: number;
	readonly signInAttempts: number;
	readonly emails: number;
};

/** How long data other than business records is kept, in days. */
export type Retention = {
	/** Emails, from when they were queued. */
	readonly emailDays: number;
	/** Sessions, from when they could last have been used. */
	readonly sessionDays: number;
};
const DEFAULT_RETENTION: Retention = { emailDays: 400, sessionDays: 0 };

/**
 * Takes the next bounded step of today's sweep, unless it is finished; the next minute's run
 * continues.
 * @returns the day's counts if this step was the last one
 */
export async function dailySweep(
	system: SystemContext,
	bucket: R2Bucket,
	timeZone: string,
	retention: Retention = DEFAULT_RETENTION,
): Promise<SweepCounts | undefined> {
	const { db, now } = system;
	const today = dateIn(timeZone, now);
	const step = await claimStep(db, NAME, today, now);
	if (!step) return undefined;
	const isFirst = step.cursor === null;
	if (isFirst) {
		await deleteErased(system, bucket);
		await forgetOldNotes(system);
		await eraseInvitations(system, timeZone);
		await cancelPast(db, now);
	}
	const { objects = 0, receipts = 0, ...before } = step.counts;
	let swept: SweepCounts = {
		objects,
		receipts,
		sessions:
			(before.sessions ?? 0) +
			(isFirst ? await deleteExpiredSessions(db, now - retention.sessionDays * DAY_MS) : 0),
		signInAttempts: (before.signInAttempts ?? 0) + (isFirst ? await deleteOldAttempts(db, now) : 0),
		emails:
			(before.emails ?? 0) +
			(isFirst ? await deleteOldEmails(db, now - retention.emailDays * DAY_MS) : 0),
	};
	let cursor = step.cursor;
	for (let page = 0; page < PAGES_PER_RUN; page++) {
		const { next, ...removed } = await sweepPage(system, bucket, cursor);
		swept = {
			...swept,
			objects: swept.objects + removed.objects,
			receipts: swept.receipts + removed.receipts,
		};
		cursor = next;
		if (cursor === null) return finish(system, swept, today);
	}
	await db.batch({ step: continueStatement(db.build, NAME, { cursor, counts: swept }, now) });
	return undefined;
}

async function finish(
	system: SystemContext,
	swept: SweepCounts,
	today: CalendarDate,
): Promise<SweepCounts> {
	const { db, now } = system;
	const { objects, receipts } = swept;
	await db.batch({
		finish: finishStatement(db.build, NAME, today, now),
		// Sessions and attempts aren't business records.
		...(objects + receipts > 0
			? {
					audit: systemEntry(system, {
						action: "receipts.sweep",
						entity: "receipt-files",
						entityId: today,
						after: { objects, receipts },
					}),
				}
			: {}),
	});
	return swept;
}

/** Sessions past their absolute limit: until then an ended one says why it ended. */
function deleteExpiredSessions(db: Database, now: number): Promise<number> {
	const expired = sql`(select token_hash from sessions where ends_at < ${now} limit ${ROWS_PER_TRIP})`;
	return deleteInBatches(async () => {
		const { gone } = await db.batch({
			gone: db.build
				.delete(sessions)
				.where(inArray(sessions.tokenHash, expired))
				.returning({ hash: sessions.tokenHash }),
		});
		return gone.length;
	});
}

/** Emails queued before a moment, and the notices they were made from. */
function deleteOldEmails(db: Database, before: number): Promise<number> {
	const old = sql`(select id from mails where created_at < ${before} order by created_at, id limit ${ROWS_PER_TRIP})`;
	const told = sql`(select id from notices where gathered_at < ${before} limit ${ROWS_PER_TRIP})`;
	return deleteInBatches(async () => {
		const { gone } = await db.batch({
			gone: db.build.delete(mails).where(inArray(mails.id, old)).returning({ id: mails.id }),
			told: db.build.delete(notices).where(inArray(notices.id, told)),
		});
		return gone.length;
	});
}

/** Failed emails that no longer apply. */
const cancelPast = (db: Database, now: number): Promise<number> =>
	deleteInBatches(async () => {
		const { past } = await db.batch({ past: cancelPastMails(db.build, now) });
		return past.length;
	});

function deleteOldAttempts(db: Database, now: number): Promise<number> {
	const old = sql`(select state_hash from sign_in_attempts where used_at < ${now - ATTEMPT_MS} limit ${ROWS_PER_TRIP})`;
	return deleteInBatches(async () => {
		const { gone } = await db.batch({
			gone: db.build
				.delete(signInAttempts)
				.where(inArray(signInAttempts.stateHash, old))
				.returning({ hash: signInAttempts.stateHash }),
		});
		return gone.length;
	});
}

/** Repeats a bounded deletion until nothing is left, or the run's limit is reached. */
async function deleteInBatches(deleteSome: () => Promise<number>): Promise<number> {
	let total = 0;
	for (let trip = 0; trip < TRIPS_PER_RUN; trip++) {
		const deleted = await deleteSome();
		total += deleted;
		if (deleted < ROWS_PER_TRIP) break;
	}
	return total;
}
