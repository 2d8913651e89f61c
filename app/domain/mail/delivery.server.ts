/**
 * Sends queued mail: claimed, sent, recorded, one message at a time or as many as the provider takes
 * in one call. Whatever ends the isolate, only what one call carried is in doubt
 * (docs/decisions/0054).
 */
import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { type Handled, keyOf, type Mail, recordResults, type Sent } from "./outcomes.server.ts";
import { IS_REMINDER, IS_URGENT } from "./queue.server.ts";
import {
	IDEMPOTENCY_WINDOW_MS,
	MAX_BATCHES_PER_RUN,
	MAX_BEFORE_BATCHES,
	MAX_CANCELLED,
	MAX_PER_BATCH,
	MAX_PER_RUN,
	MAX_RUN_MS,
	MailFault,
	REFUSED_TOO_LONG_MS,
	REMINDER_TTL_MS,
	SEND_TIMEOUT_MS,
	type Transport,
} from "./rules.ts";
import { hasEnded, IS_OUTDATED, IS_OVER } from "./states.server.ts";

export type Delivery = {
	readonly sent: number;
	/** Tries that failed. */
	readonly failed: number;
	/** Messages that aren't tried again, though nothing is known to be wrong with their address. */
	readonly givenUp: number;
	/** Since when the provider has refused mail, if that is too long ago. */
	readonly refusedSince?: number;
};

/**
 * Sends the mail that is due, as much as one run may. The first call carries one message: while the
 * provider is at fault, it is the only one of its minute.
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
	const total = { sent: 0, failed: 0, givenUp: held.length };
	let [singles, batches, mayBatch] = [0, 0, transport.sendTogether !== undefined];
	while (clock() - began < MAX_RUN_MS) {
		const isBatch = mayBatch && singles >= MAX_BEFORE_BATCHES;
		if (isBatch ? batches >= MAX_BATCHES_PER_RUN : singles >= MAX_PER_RUN) break;
		const { claimed } = await db.batch({ claimed: claim(db.build, isBatch, clock()) });
		if (claimed.length === 0) break;
		if (isBatch) batches += 1;
		else singles += 1;
		const sent = await send(transport, claimed);
		const handled = await recordResults(db, transport.isRepeatable, sent, clock());
		total.sent += handled.sent;
		total.failed += handled.failed;
		total.givenUp += handled.givenUp;
		// A call that is refused as a whole doesn't say for which message.
		if (isBatch && handled.isRefusedTogether) mayBatch = false;
		if (!handled.pause) continue;
		if (handled.pause.patience === undefined)
			return { ...total, ...refusedSince(handled, clock()) };
		await new Promise((resolve) => setTimeout(resolve, handled.pause?.patience));
	}
	return total;
}

function refusedSince({ pause }: Handled, now: number) {
	const since = pause?.since ?? now;
	return now - since >= REFUSED_TOO_LONG_MS ? { refusedSince: since } : {};
}

/** Hands over what was claimed, a batch in one call. */
async function send(transport: Transport, claimed: readonly Mail[]): Promise<readonly Sent[]> {
	const messageOf = (mail: Mail) => ({
		to: mail.address,
		subject: mail.subject,
		text: mail.body,
		key: transport.isRepeatable ? keyOf(mail) : mail.id,
	});
	const [first] = claimed;
	if (!first) return [];
	if (!first.batchId || !transport.sendTogether)
		try {
			return [{ mail: first, providerId: await transport.send(messageOf(first)) }];
		} catch (error) {
			return [{ mail: first, error }];
		}
	// In the same order each time, since a repeated call has to be the same.
	const batch = claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
	try {
		const answers = await transport.sendTogether(batch.map(messageOf), first.batchId);
		if (answers.length !== batch.length) throw new Error("The email provider left some out");
		return batch.map((mail, at) => {
			const answer = answers[at];
			return answer instanceof MailFault ? { mail, error: answer } : { mail, providerId: answer };
		});
	} catch (error) {
		return batch.map((mail) => ({ mail, error, isTogether: true }));
	}
}

/**
 * Handles messages that were lost while sending: retried if the provider knows their key, otherwise
 * held. Obsolete emails and old reminders are cancelled, so a provider that comes back, or is first
 * set up, doesn't get months of them.
 */
function settle(build: Builder, isRepeatable: boolean, now: number) {
	const isLost = sql`status = 'sending' and send_after < ${now - SEND_TIMEOUT_MS}`;
	const isKnown = sql`coalesce(key_at, first_tried_at) > ${now - IDEMPOTENCY_WINDOW_MS}`;
	const isForgotten = sql`status = 'queued' and uncertain_at is not null
		and not (${isRepeatable ? isKnown : sql`0`})`;
	return {
		...(isRepeatable
			? {
					again: build.run(sql`update mails set status = 'queued', send_after = ${now},
						uncertain_at = coalesce(uncertain_at, ${now}),
						last_error = 'Broken off on the way; trying again.'
						where ${isLost} and ${isKnown} and not ${IS_OUTDATED}`),
				}
			: {}),
		held: build.all<{ id: string }>(sql`update mails set status = 'failed',
			may_have_been_sent = 1, last_error = 'Broken off on the way.' where ${isLost} returning id`),
		forgotten: build.run(sql`update mails set status = 'failed', may_have_been_sent = 1
			where id in (select id from mails indexed by mails_uncertain
				where ${isForgotten} and send_after <= ${now} limit ${MAX_CANCELLED})`),
		over: build.run(sql`update mails set status = 'cancelled' where id in (
			select id from mails indexed by mails_urgent
			where status = 'queued' and send_after <= ${now} and ${IS_URGENT}
				and (${IS_OVER} or ${hasEnded(now)}) limit ${MAX_CANCELLED})`),
		late: build.run(sql`update mails set status = 'cancelled' where id in (
			select id from mails where status = 'queued' and send_after <= ${now - REMINDER_TTL_MS}
				and ${IS_REMINDER} order by send_after limit ${MAX_CANCELLED})`),
	};
}

/**
 * Claims what comes next. What may have been accepted already comes first, with everything handed
 * over in the same call, so few messages are in doubt while a provider doesn't answer. Then what
 * has waited longest; reminders are sent when nothing else is due, since thousands of them must not
 * delay a decision.
 */
function claim(build: Builder, isBatch: boolean, now: number) {
	const most = isBatch ? MAX_PER_BATCH : 1;
	const isDue = sql`status = 'queued' and send_after <= ${now}`;
	const first = sql`and uncertain_at is null order by send_after limit ${most}`;
	const doubtful = sql`select id, batch_id from mails indexed by mails_uncertain
		where ${isDue} and uncertain_at is not null order by send_after limit 1`;
	const next = sql`
		with doubtful as materialized (${doubtful}),
		fresh as materialized (select id from (
			select id, 0 as rank from (select id from mails indexed by mails_urgent
				where ${isDue} and ${IS_URGENT} ${first})
			union all select id, 1 from (select id from mails where ${isDue} and ${IS_REMINDER} ${first})
			order by rank limit ${most}))
		select id from doubtful
		union select mails.id from doubtful join mails indexed by mails_batch
			on mails.batch_id = doubtful.batch_id where mails.batch_id is not null and mails.status = 'queued'
		union select id from fresh where not exists (select 1 from doubtful)`;
	const isOld = sql`coalesce(${mails.keyAt}, ${mails.firstTriedAt}) <= ${now - IDEMPOTENCY_WINDOW_MS}`;
	const isDoubtful = sql`${mails.uncertainAt} is not null`;
	const batchId = isBatch ? crypto.randomUUID() : null;
	return (
		build
			.update(mails)
			// While it is being sent, send_after is when it was claimed.
			.set({
				status: "sending",
				attempts: sql`${mails.attempts} + 1`,
				sendAfter: now,
				firstTriedAt: sql`coalesce(${mails.firstTriedAt}, ${now})`,
				// A key that the provider may have forgotten is replaced while nothing is in doubt.
				keyAt: sql`case when ${isDoubtful} then ${mails.keyAt}
					when ${isBatch ? 1 : 0} or ${isOld} then ${now} else ${mails.keyAt} end`,
				batchId: sql`iif(${isDoubtful}, ${mails.batchId}, ${batchId})`,
			})
			.where(sql`${mails.id} in (${next})`)
			.returning()
	);
}
