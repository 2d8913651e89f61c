import { sql } from "drizzle-orm";
import { mails } from "../../../db/schema.ts";
import { type Done, done } from "../../../values/outcome.ts";
import { auditActor, hasAccess } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { throwAccessLost } from "../../kernel/transition.server.ts";
import { cancelPastMails } from "../past.server.ts";
import { AS_NEW, isPast, sendAgainEntry } from "./send-again.server.ts";

/** Emails queued at once: what one run sends in one call, five times over. */
const MAX_SENT_AGAIN = 500;

/**
 * Queues again the emails that certainly failed, oldest first, as many as one change may. What may
 * have been sent is left to be asked about one by one, and what no longer applies is canceled.
 * @returns how many were queued
 */
export async function sendAllAgain(admin: AdminContext): Promise<Done<{ readonly count: number }>> {
	const { db, now } = admin;
	const { build } = db;
	const isFailed = sql`${mails.status} = 'failed' and ${mails.sendAfter} <= ${now}
		and ${mails.mayHaveBeenSent} = 0 and not ${isPast(now)}`;
	const chosen = sql`${mails.id} in (select ${mails.id} from ${mails} where ${isFailed}
		order by ${mails.sendAfter} limit ${MAX_SENT_AGAIN}) and ${hasAccess(admin)}`;
	const { queued, checks } = await db.batch({
		audit: auditStatement(build, auditActor(admin), sendAgainEntry, mails, chosen),
		queued: build
			.update(mails)
			.set({ status: "queued", sendAfter: now, ...AS_NEW, keyAt: null })
			.where(chosen)
			.returning({ id: mails.id }),
		past: cancelPastMails(build, now, hasAccess(admin)),
		checks: build.all<{ isAllowed: number }>(sql`select ${hasAccess(admin)} as isAllowed`),
	});
	if (!checks[0]?.isAllowed) return throwAccessLost(admin);
	return done({ count: queued.length });
}
