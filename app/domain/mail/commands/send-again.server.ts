import { eq, lte, type SQL, sql } from "drizzle-orm";
import { mails } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { auditActor, hasAccess } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOverLimit } from "../../kernel/limits.server.ts";
import { throwAccessLost, throwTooMany } from "../../kernel/transition.server.ts";
import { IS_REMINDER } from "../queue.server.ts";
import { REMINDER_TTL_MS } from "../rules.ts";
import { hasEnded, IS_OVERTAKEN, IS_WITHOUT_ACCESS } from "../states.server.ts";

export type Email = typeof mails.$inferSelect;
export type SendAgainRefusal = Refused<"not-found"> | Refused<"not-failed" | "outdated">;

/** Forgets earlier tries. */
export const AS_NEW = {
	attempts: 0,
	firstTriedAt: null,
	mayHaveBeenSent: false,
	uncertainAt: null,
	batchId: null,
} as const;

/** Whether an email no longer applies, so that it must not be resent. */
export const isPast = (
	now: number,
): SQL => sql`(${IS_OVERTAKEN} or ${IS_WITHOUT_ACCESS} or ${hasEnded(now)}
	or ${IS_REMINDER} and ${mails.createdAt} <= ${now - REMINDER_TTL_MS})`;

/** A digest's subject may name someone else. */
const toldSubject = sql`iif(${mails.kind} = 'admin-digest', null, ${mails.subject})`;

/** The audit's entry for each of them. */
export const sendAgainEntry = {
	action: "email.send-again",
	entity: "email",
	// Whose it is, because the email itself is deleted after a while.
	after: sql`json_object('address', ${mails.address}, 'recipientId', ${mails.recipientId},
		'subject', ${toldSubject})`,
} as const;

/**
 * Queues a failed email again. The mail queue isn't business rows, so there is no change id: the
 * email's status shows that it is queued, and a repeated batch finds it so.
 */
export async function sendAgain(
	admin: AdminContext,
	id: string,
): Promise<Outcome<Email, SendAgainRefusal>> {
	const { db, now } = admin;
	const { build } = db;
	const isOpen = sql`${eq(mails.id, id)} and ${mails.status} = 'failed' and ${lte(mails.sendAfter, now)}
		and not ${isPast(now)} and ${hasAccess(admin)} and not ${isOverLimit(admin)}`;
	const { rows, checks } = await db.batch({
		audit: auditStatement(build, auditActor(admin), sendAgainEntry, mails, isOpen),
		change: build
			.update(mails)
			.set({
				status: "queued",
				sendAfter: now,
				...AS_NEW,
				// Whoever asks for it again wants it sent even if the provider knows its key.
				keyAt: sql`iif(${mails.mayHaveBeenSent}, ${now}, null)`,
			})
			.where(isOpen),
		rows: build.select().from(mails).where(eq(mails.id, id)),
		checks: build.all<{ isAllowed: number; isTooMany: number; isOutdated: number | null }>(sql`
			select ${hasAccess(admin)} as isAllowed, ${isOverLimit(admin)} as isTooMany,
				(select ${isPast(now)} from mails where id = ${id}) as isOutdated`),
	});
	if (!checks[0]?.isAllowed) return throwAccessLost(admin);
	const [email] = rows;
	if (!email) return refused("not-found");
	if (email.status === "queued") return done(email);
	if (checks[0].isTooMany) return throwTooMany(admin);
	return refused(email.status === "failed" && checks[0].isOutdated ? "outdated" : "not-failed");
}
