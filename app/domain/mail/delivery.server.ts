/**
 * Sends what waits in the outbox. A mail is claimed before it is sent, so that two deliveries never
 * send the same one; what was lost on the way is shown as failed and not sent again by itself,
 * since nobody knows whether it arrived.
 */
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { IS_REMINDER, IS_URGENT } from "./queue.server.ts";
import {
	DIGEST_KINDS,
	groupEmails,
	MAX_BATCH_SIZE,
	MAX_GIVEN_UP,
	MAX_TRIES,
	type Message,
	REMINDER_TTL_MS,
	retryDelay,
	SEND_TIMEOUT_MS,
} from "./rules.ts";

/** Hands one message to the provider. */
export type Transport = (message: Message) => Promise<void>;
export type Delivery = { readonly sent: number; readonly failed: number };

/**
 * Sends the mails that are due, digests with everything that waits for the same address.
 * @returns how many messages left, and how many could not
 */
export async function deliverMail(db: Database, send: Transport, now: number): Promise<Delivery> {
	const { build } = db;
	const isDue = sql`status = 'queued' and send_after <= ${now}`;
	const inOrder = sql`order by send_after limit ${MAX_BATCH_SIZE}`;
	// Reminders leave when nothing else is due: thousands of them must not hold up a decision.
	const due = sql`select id from (
		select id from (select id from mails indexed by mails_urgent where ${isDue} and ${IS_URGENT} ${inOrder})
		union all select id from (select id from mails where ${isDue} and ${IS_REMINDER} ${inOrder})
	) limit ${MAX_BATCH_SIZE}`;
	const gathered = sql`select m.id from mails m where m.status = 'queued' and m.kind in (${sql.join(
		DIGEST_KINDS.map((kind) => sql`${kind}`),
		sql`, `,
	)})
		and m.address in (select address from mails where id in (${due}) and kind = m.kind) limit 200`;
	const { claimed } = await db.batch({
		lost: build
			.update(mails)
			.set({ status: "failed", lastError: "Lost on the way: it may have arrived." })
			.where(and(eq(mails.status, "sending"), lt(mails.sendAfter, now - SEND_TIMEOUT_MS))),
		// A provider that comes back, or is first set up, finds no months of them waiting.
		late: build.run(sql`update mails set status = 'cancelled' where id in (
			select id from mails where status = 'queued' and send_after <= ${now - REMINDER_TTL_MS}
				and ${IS_REMINDER} order by send_after limit ${MAX_GIVEN_UP})`),
		// While it is on its way, send_after says when it was claimed.
		claimed: build
			.update(mails)
			.set({ status: "sending", attempts: sql`${mails.attempts} + 1`, sendAfter: now })
			.where(sql`${mails.id} in (select id from (${due})) or ${mails.id} in (${gathered})`)
			.returning(),
	});
	let sent = 0;
	let failed = 0;
	for (const { ids, message } of groupEmails(claimed)) {
		const tries = Math.max(
			...claimed.filter(({ id }) => ids.includes(id)).map(({ attempts }) => attempts),
		);
		const mine = and(inArray(mails.id, [...ids]), eq(mails.status, "sending"));
		try {
			await send(message);
			sent += 1;
			await db.batch({
				done: build.update(mails).set({ status: "sent", sentAt: now, lastError: null }).where(mine),
			});
		} catch (error) {
			failed += 1;
			const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300);
			const next =
				tries >= MAX_TRIES
					? { status: "failed" as const }
					: { status: "queued" as const, sendAfter: now + retryDelay(tries) };
			await db.batch({
				again: build
					.update(mails)
					.set({ ...next, lastError })
					.where(mine),
			});
		}
	}
	return { sent, failed };
}
