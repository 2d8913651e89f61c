/** Records what became of the messages of one call. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder, Database, Statement } from "../../db/client.server.ts";
import { mails } from "../../db/schema.ts";
import { forgetBounce, recordBounce } from "./bounces.server.ts";
import { restoreDecisionEmails } from "./carried.server.ts";
import { IS_REMINDER } from "./queue.server.ts";
import {
	IDEMPOTENCY_WINDOW_MS,
	isTriedEnough,
	MAX_PATIENCE_MS,
	MailFault,
	pauseDelay,
	REMINDER_TTL_MS,
	retryDelay,
} from "./rules.ts";
import { IS_OUTDATED } from "./states.server.ts";

export type Mail = typeof mails.$inferSelect;

/** A message that was handed over: accepted, or what was thrown. */
export type Sent =
	| { readonly mail: Mail; readonly providerId: string | undefined }
	/** With `isTogether` it is about the whole call. */
	| { readonly mail: Mail; readonly error: unknown; readonly isTogether?: boolean };

/** What became of them. */
export type Handled = {
	readonly sent: number;
	readonly failed: number;
	readonly givenUp: number;
	/** No message may be handed over for a while. */
	readonly pause?: {
		/** Milliseconds until the provider wants to be asked again, if that is soon. */
		readonly patience: number | undefined;
		/** Since when the message that has waited longest has been tried. */
		readonly since: number | undefined;
	};
	readonly isRefusedTogether: boolean;
};

/** The key under which the provider accepts a message, or the messages of one call, once. */
export const keyOf = ({ id, batchId, keyAt }: Mail): string =>
	batchId ?? (keyAt === null ? id : `${id}-${keyAt}`);

/** How many waiting emails are looked at, those due first. */
const MAX_WAITING = 300;

/** Records the results of one call in one trip. */
export async function recordResults(
	db: Database,
	isRepeatable: boolean,
	results: readonly Sent[],
	now: number,
): Promise<Handled> {
	const statements: Record<string, Statement> = {};
	const count = { sent: 0, failed: 0, givenUp: 0 };
	let [patience, isPaused, isRefusedTogether]: [number | undefined, boolean, boolean] = [
		undefined,
		false,
		false,
	];
	for (const result of results) {
		const { mail } = result;
		if (!("error" in result)) {
			count.sent += 1;
			Object.assign(
				statements,
				sentStatements(db.build, isRepeatable, mail, result.providerId, now),
			);
			continue;
		}
		const fate = fateOf(mail, result.error, result.isTogether === true, isRepeatable, now);
		Object.assign(statements, faultStatements(db.build, mail, fate, now));
		if (!fate.isTogether) count.failed += 1;
		if (fate.isGivenUp) count.givenUp += 1;
		if (fate.isTogether) isRefusedTogether = true;
		if (fate.isPause) isPaused = true;
		if (fate.patience !== undefined) patience = fate.patience;
	}
	// The first message to get through after others were refused: they needn't wait any longer.
	if (
		count.sent > 0 &&
		results.some(({ mail }) => mail.lastError !== null && mail.uncertainAt === null)
	)
		statements.released = release(db.build, now);
	const answers = await db.batch({
		...statements,
		waiting: db.build.all<{ since: number | null }>(sql`
			select min(first_tried_at) as since from (select first_tried_at from mails
				where status = 'queued' order by send_after limit ${isPaused ? MAX_WAITING : 0})`),
	});
	if (!isPaused) return { ...count, isRefusedTogether };
	const [waiting] = answers.waiting as { since: number | null }[];
	return { ...count, isRefusedTogether, pause: { patience, since: waiting?.since ?? undefined } };
}

/** Still the claim that was sent. */
const isMine = ({ id, sendAfter }: Mail) =>
	and(eq(mails.id, id), eq(mails.status, "sending"), eq(mails.sendAfter, sendAfter));

function sentStatements(
	build: Builder,
	isRepeatable: boolean,
	mail: Mail,
	providerId: string | undefined,
	now: number,
): Record<string, Statement> {
	return {
		// A provider that knows keys reports later whether it arrived.
		...(isRepeatable ? {} : { [`reached ${mail.id}`]: forgetBounce(build, mail.address) }),
		[`sent ${mail.id}`]: build
			.update(mails)
			.set({ status: "sent", sentAt: now, lastError: null, providerId: providerId ?? null })
			.where(isMine(mail)),
	};
}

type Fate = {
	readonly kind: MailFault["kind"] | "unknown";
	readonly words: string;
	/** Whether it is tried again; otherwise it has failed. */
	readonly hasAnother: boolean;
	/** Whether the provider may have accepted it. */
	readonly isDoubtful: boolean;
	readonly isGivenUp: boolean;
	readonly isPause: boolean;
	/** Whether it was only refused together with others. */
	readonly isTogether: boolean;
	readonly patience: number | undefined;
};

/**
 * What a fault means for a message. A provider at fault costs it no try. What may have been accepted
 * is repeated only while the provider knows its key.
 */
function fateOf(
	mail: Mail,
	error: unknown,
	isTogether: boolean,
	isRepeatable: boolean,
	now: number,
): Fate {
	const fault = error instanceof MailFault ? error : undefined;
	const kind = fault?.kind ?? "unknown";
	const words = (error instanceof Error ? error.message : String(error)).slice(0, 300);
	const keySince = mail.keyAt ?? mail.firstTriedAt ?? 0;
	const isKeyKnown = isRepeatable && keySince > now - IDEMPOTENCY_WINDOW_MS;
	const isRefusedTogether = isTogether && (kind === "refused" || kind === "address");
	const isDoubtful = kind === "unknown" || (mail.uncertainAt !== null && kind === "later");
	const isEnough = isTriedEnough(mail.kind, now - (mail.firstTriedAt ?? now));
	const hasAnother = isRefusedTogether || (isDoubtful ? isKeyKnown : kind === "later" && !isEnough);
	const isSoon = fault?.patience !== undefined && fault.patience <= MAX_PATIENCE_MS;
	return {
		kind,
		words,
		hasAnother,
		isDoubtful,
		isGivenUp: !hasAnother && kind !== "address",
		isPause: kind === "later" || kind === "unknown",
		isTogether: isRefusedTogether,
		patience: isSoon ? fault?.patience : undefined,
	};
}

/**
 * An email that no longer applies is cancelled instead, as it would have been if not on its way.
 */
function faultStatements(
	build: Builder,
	mail: Mail,
	{ kind, words, hasAnother, isDoubtful, isTogether, patience }: Fate,
	now: number,
): Record<string, Statement> {
	const { id, address, attempts, firstTriedAt, aboutId } = mail;
	const isLate = sql`${IS_REMINDER} and ${mails.createdAt} <= ${now - REMINDER_TTL_MS}`;
	const isTooLate: SQL = hasAnother || !isDoubtful ? sql`(${IS_OUTDATED} or ${isLate})` : sql`0`;
	const isNext = isTogether || patience !== undefined;
	const wait = isNext ? 0 : pauseDelay(now - (firstTriedAt ?? now));
	return {
		...(kind === "address" && !isTogether
			? { [`bounce ${id}`]: recordBounce(build, address, words, now) }
			: {}),
		[`fault ${id}`]: build
			.update(mails)
			.set({
				status: sql`iif(${isTooLate}, 'cancelled', ${hasAnother ? "queued" : "failed"})`,
				lastError: words,
				...(!hasAnother
					? { mayHaveBeenSent: isDoubtful }
					: isDoubtful
						? { sendAfter: now + retryDelay(attempts), uncertainAt: mail.uncertainAt ?? now }
						: {
								attempts: attempts - 1,
								sendAfter: now + wait,
								uncertainAt: null,
								batchId: null,
								keyAt: mail.batchId ? null : mail.keyAt,
							}),
			})
			.where(isMine(mail)),
		...(mail.kind === "payout-paid"
			? {
					[`restored ${id}`]: restoreDecisionEmails(
						build,
						aboutId,
						sql`exists (select 1 from payouts where id = ${aboutId} and status <> 'paid')`,
					),
				}
			: {}),
	};
}

/** How many messages are released at once. */
const MAX_RELEASED = 1000;

/** Makes due what waits only because the provider was at fault. */
function release(build: Builder, now: number) {
	return build.run(sql`update mails set send_after = ${now} where id in (
		select id from mails where status = 'queued' and send_after > ${now}
			and last_error is not null and first_tried_at is not null and uncertain_at is null
		order by send_after limit ${MAX_RELEASED})`);
}
