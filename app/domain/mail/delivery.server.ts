/**
 * Sends what waits in the outbox, one message after the other: claimed, sent, recorded. Whatever
 * ends the isolate, at most one message is under way (docs/decisions/0054).
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { forgetBounce, recordBounce } from "./bounces.server.ts";
import { IS_REMINDER, IS_URGENT } from "./queue.server.ts";
import {
	KEY_KNOWN_MS,
	MAX_GIVEN_UP,
	MAX_SENT,
	MAX_TRIES,
	MailFault,
	REMINDER_TTL_MS,
	RUN_MS,
	retryDelay,
	SEND_TIMEOUT_MS,
	type Transport,
} from "./rules.ts";

export type Delivery = { readonly sent: number; readonly failed: number };
type Mail = typeof mails.$inferSelect;

/**
 * Sends the mail that is due, as much of it as one run may take.
 * @param clock UTC milliseconds, each time it is asked
 * @returns how many messages left, and how many could not
 */
export async function deliverMail(
	db: Database,
	transport: Transport,
	clock: () => number,
): Promise<Delivery> {
	const began = clock();
	await db.batch(settle(db.build, transport.isRepeatable, began));
	let sent = 0;
	let failed = 0;
	while (sent + failed < MAX_SENT && clock() - began < RUN_MS) {
		const { claimed } = await db.batch({ claimed: claim(db.build, clock()) });
		const [mail] = claimed;
		if (!mail) break;
		if (await sendOne(db, transport, mail, clock)) sent += 1;
		else failed += 1;
	}
	return { sent, failed };
}

/**
 * What to do about messages that were lost on their way: handed over again where the provider
 * knows their key, otherwise held. A provider that comes back, or is first set up, finds no months
 * of reminders waiting.
 */
function settle(build: Builder, isRepeatable: boolean, now: number) {
	const isLost = sql`status = 'sending' and send_after < ${now - SEND_TIMEOUT_MS}`;
	const isKnown = sql`attempts < ${MAX_TRIES} and first_tried_at > ${now - KEY_KNOWN_MS}`;
	return {
		...(isRepeatable
			? {
					again: build.run(sql`update mails set status = 'queued', send_after = ${now},
						last_error = 'Broken off on the way; trying again.' where ${isLost} and ${isKnown}`),
				}
			: {}),
		held: build.run(sql`update mails set status = 'failed', may_have_been_sent = 1,
			last_error = 'Broken off on the way.' where ${isLost}`),
		late: build.run(sql`update mails set status = 'cancelled' where id in (
			select id from mails where status = 'queued' and send_after <= ${now - REMINDER_TTL_MS}
				and ${IS_REMINDER} order by send_after limit ${MAX_GIVEN_UP})`),
	};
}

/**
 * Claims the message that has waited longest; reminders leave when nothing else is due, since
 * thousands of them must not hold up a decision.
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
			// While it is on its way, send_after says when it was claimed.
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

/** @returns true when the provider took it */
async function sendOne(
	db: Database,
	transport: Transport,
	mail: Mail,
	clock: () => number,
): Promise<boolean> {
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
		await recordFault(db, transport.isRepeatable, mail, mine, error, clock());
		return false;
	}
	await db.batch({
		// A repeatable provider tells later on whether it arrived.
		...(transport.isRepeatable ? {} : { reached: forgetBounce(db.build, to) }),
		done: db.build
			.update(mails)
			.set({ status: "sent", sentAt: clock(), lastError: null, providerId: providerId ?? null })
			.where(mine),
	});
	return true;
}

/** Tried again unless the provider may have taken it, or never will. */
async function recordFault(
	db: Database,
	isRepeatable: boolean,
	{ address, attempts, firstTriedAt }: Mail,
	mine: SQL | undefined,
	error: unknown,
	now: number,
): Promise<void> {
	const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300);
	const kind = error instanceof MailFault ? error.kind : "unknown";
	const isKeyKnown = isRepeatable && (firstTriedAt ?? 0) > now - KEY_KNOWN_MS;
	const hasAnother =
		attempts < MAX_TRIES && (kind === "later" || (kind === "unknown" && isKeyKnown));
	const next = hasAnother
		? { status: "queued" as const, sendAfter: now + retryDelay(attempts) }
		: { status: "failed" as const, mayHaveBeenSent: kind === "unknown" };
	await db.batch({
		...(kind === "address" ? { bounce: recordBounce(db.build, address, lastError, now) } : {}),
		fault: db.build
			.update(mails)
			.set({ ...next, lastError })
			.where(mine),
	});
}
