/** Records the outcome of a try to deliver an event. */
import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Builder, Statements } from "../../db/client.server.ts";
import { webhookDeliveries, webhooks } from "../../db/schema.ts";
import { isWanted } from "./queries.server.ts";
import { retryDelay } from "./rules.ts";

/** A delivery that is under way. */
export type Claimed = Pick<
	typeof webhookDeliveries.$inferSelect,
	"id" | "sequence" | "event" | "rowId" | "createdAt" | "sendAfter" | "attempts"
> & { readonly number: string | null };

export type Fault = {
	readonly words: string;
	/** Whether the receiver may have it anyway. */
	readonly isDoubtful: boolean;
};

const update = (build: Builder) => build.update(webhookDeliveries);

/** The statements that record a try; without a fault it succeeded. */
export function recordStatements(
	build: Builder,
	webhookId: string,
	{ id, sequence, rowId, sendAfter, attempts }: Claimed,
	fault: Fault | undefined,
	now: number,
): Statements {
	const isMine = and(
		eq(webhookDeliveries.id, id),
		eq(webhookDeliveries.status, "sending"),
		eq(webhookDeliveries.sendAfter, sendAfter),
	);
	const record = (set: Parameters<ReturnType<typeof update>["set"]>[0]) =>
		update(build).set(set).where(isMine);
	/** Later events of the row wait for this one, and are looked at when it is. */
	const moveLater = (isMoved: SQL, to: number) =>
		update(build)
			.set({ sendAfter: to })
			.where(
				sql`${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.rowId} = ${rowId}
					and ${webhookDeliveries.sequence} > ${sequence} and ${webhookDeliveries.status} = 'queued'
					and ${isMoved}`,
			);
	const release = moveLater(
		sql`${webhookDeliveries.attempts} = 0 and ${webhookDeliveries.sendAfter} > ${now}`,
		now,
	);
	if (!fault)
		return {
			delivered: record({
				status: "delivered",
				deliveredAt: now,
				lastError: null,
				mayHaveArrived: false,
			}),
			release,
			works: build
				.update(webhooks)
				.set({ failingSince: null })
				.where(and(eq(webhooks.id, webhookId), isNotNull(webhooks.failingSince))),
		};
	const delay = retryDelay(attempts);
	const failing = build
		.update(webhooks)
		.set({ failingSince: sql`coalesce(${webhooks.failingSince}, ${now})` })
		.where(eq(webhooks.id, webhookId));
	const doubt = fault.isDoubtful ? { mayHaveArrived: true } : {};
	if (delay === undefined)
		return {
			givenUp: record({ status: "failed", lastError: fault.words, ...doubt }),
			release,
			failing,
		};
	const next = now + delay;
	return {
		retried: record({
			status: sql`iif(${isWanted}, 'queued', 'failed')`,
			sendAfter: next,
			lastError: fault.words,
			...doubt,
		}),
		hold: moveLater(sql`${webhookDeliveries.sendAfter} < ${next}`, next),
		failing,
	};
}
