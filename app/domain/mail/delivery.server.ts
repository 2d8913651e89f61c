/**
 * Sends queued mail, one message at a time: claimed, sent, recorded. Whatever ends the isolate, at
 * most one message is in doubt (docs/decisions/0054).
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { restoreDecisionEmails } from "../payouts/carried.server.ts";
import { forgetBounce, recordBounce } from "./bounces.server.ts";
import { IS_REMINDER, IS_URGENT } from "./queue.server.ts";
import {
	IDEMPOTENCY_WINDOW_MS,
	MAX_CANCELLED,
	MAX_PER_RUN,
	MAX_RUN_MS,
	MAX_TRIES,
	MailFault,
	REMINDER_TTL_MS,
	retryDelay,
	SEND_TIMEOUT_MS,
	type Transport,
} from "./rules.ts";
import { IS_OUTDATED } from "./states.server.ts";

export type Delivery = {
	readonly sent: number;
	/** Tries that failed. */
	readonly failed: number;
	/** Messages that aren't tried again, though nothing is known to be wrong with their address. */
	readonly givenUp: number;
};
type Result = "sent" | "failed" | "given-up";
type Mail = typeof mails.$inferSelect;

/**
 * Sends the mail that is due, as much as one run may.
 * @param clock the current time in UTC milliseconds
 * @returns how many messages were sent, and how many failed
 */
export async function deliverMail(
	db: Database,
	transport: Transport,
	clock: () => number,
): Promise<Delivery> {
	const began = clock();
	const { held } = await db.batch(settle(db.build, transport.isRepeatable, began));
	let [sent, failed, givenUp] = [0, 0, held.length];
	while (sent + failed < MAX_PER_RUN && clock() - began < MAX_RUN_MS) {
		const { claimed } = await db.batch({ claimed: claim(db.build, clock()) });
		const [mail] = claimed;
		if (!mail) break;
		const result = await sendOne(db, transport, mail, clock);
		if (result === "sent") sent += 1;
		else failed += 1;
		if (result === "given-up") givenUp += 1;
	}
	return { sent, failed, givenUp };
}

/**
 * Handles messages that were lost while sending: retried if the provider knows their key, otherwise
 * held. Old reminders are cancelled, so that a provider that comes back, or is first set up,
 * doesn't find months of them.
 */
function settle(build: Builder, isRepeatable: boolean, now: number) {
	const isLost = sql`status = 'sending' and send_after < ${now - SEND_TIMEOUT_MS}`;
	const isKnown = sql`attempts < ${MAX_TRIES} and first_tried_at > ${now - IDEMPOTENCY_WINDOW_MS}`;
	return {
		...(isRepeatable
			? {
					again: build.run(sql`update mails set status = 'queued', send_after = ${now},
						last_error = 'Broken off on the way; trying again.'
						where ${isLost} and ${isKnown} and not ${IS_OUTDATED}`),
				}
			: {}),
		held: build.all<{ id: string }>(sql`update mails set status = 'failed',
			may_have_been_sent = 1, last_error = 'Broken off on the way.' where ${isLost} returning id`),
		late: build.run(sql`update mails set status = 'cancelled' where id in (
			select id from mails where status = 'queued' and send_after <= ${now - REMINDER_TTL_MS}
				and ${IS_REMINDER} order by send_after limit ${MAX_CANCELLED})`),
	};
}

/**
 * Claims the message that has waited longest; reminders are sent when nothing else is due, since
 * thousands of them must not delay a decision.
 */
function claim(build: Builder, now: number) {
	const isDue = sql`status = 'queued' and send_after <= ${now}`;
	const first = sql`order by send_after limit 1`;
	const due = sql`select id from (
		select id from (select id from mails indexed by mails_urgent where ${isDue} and ${IS_URGENT} ${first})
		union all select id from (select id from mails where ${isDue} and ${IS_REMINDER} ${first})
	) limit 1`;
	return (
		build
			.update(mails)
			// While it is being sent, send_after is when it was claimed.
			.set({
				status: "sending",
				attempts: sql`${mails.attempts} + 1`,
				sendAfter: now,
				firstTriedAt: sql`coalesce(${mails.firstTriedAt}, ${now})`,
			})
			.where(sql`${mails.id} = (${due})`)
			.returning()
	);
}

async function sendOne(
	db: Database,
	transport: Transport,
	mail: Mail,
	clock: () => number,
): Promise<Result> {
	const { id, address: to, subject, body: text } = mail;
	const mine = and(
		eq(mails.id, id),
		eq(mails.status, "sending"),
		eq(mails.sendAfter, mail.sendAfter),
	);
	let providerId: string | undefined;
	try {
		providerId = await transport.send({ to, subject, text, key: id });
	} catch (error) {
		return recordFault(db, transport.isRepeatable, mail, mine, error, clock());
	}
	await db.batch({
		// A provider that knows keys reports later whether it arrived.
		...(transport.isRepeatable ? {} : { reached: forgetBounce(db.build, to) }),
		done: db.build
			.update(mails)
			.set({ status: "sent", sentAt: clock(), lastError: null, providerId: providerId ?? null })
			.where(mine),
	});
	return "sent";
}

/**
 * Retried unless the provider may have accepted it, or never will. One that no longer applies is
 * cancelled instead, as it would have been if it hadn't been on its way.
 */
async function recordFault(
	db: Database,
	isRepeatable: boolean,
	{ address, attempts, firstTriedAt, kind: about, aboutId }: Mail,
	mine: SQL | undefined,
	error: unknown,
	now: number,
): Promise<Result> {
	const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300);
	const kind = error instanceof MailFault ? error.kind : "unknown";
	const isKeyKnown = isRepeatable && (firstTriedAt ?? 0) > now - IDEMPOTENCY_WINDOW_MS;
	const hasAnother =
		attempts < MAX_TRIES && (kind === "later" || (kind === "unknown" && isKeyKnown));
	const mayHaveBeenSent = kind === "unknown";
	const next = hasAnother ? "queued" : "failed";
	const isTooLate = hasAnother || !mayHaveBeenSent ? IS_OUTDATED : sql`0`;
	await db.batch({
		...(kind === "address" ? { bounce: recordBounce(db.build, address, lastError, now) } : {}),
		fault: db.build
			.update(mails)
			.set({
				status: sql`iif(${isTooLate}, 'cancelled', ${next})`,
				...(hasAnother ? { sendAfter: now + retryDelay(attempts) } : { mayHaveBeenSent }),
				lastError,
			})
			.where(mine),
		...(about === "payout-paid"
			? {
					restored: restoreDecisionEmails(
						db.build,
						aboutId,
						sql`exists (select 1 from payouts where id = ${aboutId} and status <> 'paid')`,
					),
				}
			: {}),
	});
	return hasAnother || kind === "address" ? "failed" : "given-up";
}
