/**
 * Delivers what is queued: claimed, sent, recorded, to each webhook one event after the other, and
 * to all webhooks at once, so that a slow one delays no other. If the isolate ends, an event is
 * tried again, under the same id.
 */
import { and, asc, lt, sql } from "drizzle-orm";
import type { Builder, Database, Statements } from "../../db/client.server.ts";
import { webhookDeliveries, webhooks } from "../../db/schema.ts";
import type { SystemContext } from "../kernel/context.ts";
import type { Site } from "../mail/queue.server.ts";
import { hasFailedTooLong, switchOffFailing } from "./commands/switch-off-failing.server.ts";
import { isOn, isWanted, rowNumber } from "./queries.server.ts";
import { type Claimed, type Fault, recordStatements } from "./record.server.ts";
import {
	KEEP_MS,
	LOST_MS,
	MAX_PER_RUN,
	MAX_RUN_MS,
	MAX_TRIES,
	MAX_WEBHOOKS,
	type WebhookTransport,
} from "./rules.ts";
import type { EventBody } from "./shape.server.ts";
import { signedHeaders } from "./signature.ts";
import { checkWebhookUrl } from "./url.ts";

export type Deliveries = { readonly delivered: number; readonly failed: number };

type Receiver = { readonly id: string; readonly url: string; readonly secrets: readonly string[] };
/** Rows deleted in a run. */
const MAX_DELETED = 500;

/**
 * Delivers what is due, as much as one run may.
 * @param clock the current time in UTC milliseconds
 * @returns how many tries succeeded, and how many failed
 */
export async function deliverEvents(
	system: SystemContext,
	transport: WebhookTransport,
	site: Site,
	clock: () => number,
): Promise<Deliveries> {
	const { db, now } = system;
	const { found } = await db.batch({
		...settle(db.build, now),
		found: selectReceivers(db.build, now),
	});
	for (const failing of found.filter(({ isTooLong }) => isTooLong))
		await switchOffFailing(system, failing, site);
	const began = clock();
	const totals = await Promise.all(
		found
			.filter(({ isTooLong }) => !isTooLong)
			.map(({ id, url, secret, olderSecret }) =>
				deliverTo(
					db,
					{ id, url, secrets: olderSecret === null ? [secret] : [secret, olderSecret] },
					transport,
					{ began, clock },
				),
			),
	);
	return {
		delivered: totals.reduce((sum, { delivered }) => sum + delivered, 0),
		failed: totals.reduce((sum, { failed }) => sum + failed, 0),
	};
}

/**
 * Takes back deliveries that were lost on the way, and deletes old ones. A lost one has used its
 * try.
 */
function settle(build: Builder, now: number): Statements {
	const isOver = sql`${webhookDeliveries.attempts} >= ${MAX_TRIES} or not ${isWanted}`;
	return {
		lost: build
			.update(webhookDeliveries)
			.set({
				status: sql`iif(${isOver}, 'failed', 'queued')`,
				sendAfter: now,
				mayHaveArrived: true,
				lastError: "Broken off on the way.",
			})
			.where(
				// A bound value would keep SQLite from the index of those under way.
				and(
					sql`${webhookDeliveries.status} = 'sending'`,
					lt(webhookDeliveries.sendAfter, now - LOST_MS),
				),
			),
		old: build.run(sql`delete from webhook_deliveries where id in (select id from webhook_deliveries
			where created_at < ${now - KEEP_MS} and status <> 'sending' order by created_at limit ${MAX_DELETED})`),
	};
}

/** The webhooks that can be delivered to, with their secrets. */
const selectReceivers = (build: Builder, now: number) =>
	build
		.select({
			id: webhooks.id,
			url: webhooks.url,
			secret: webhooks.secret,
			olderSecret: sql<
				string | null
			>`iif(${webhooks.olderSecretUntil} > ${now}, ${webhooks.olderSecret}, null)`,
			isTooLong: hasFailedTooLong(now),
		})
		.from(webhooks)
		.where(isOn)
		.orderBy(asc(webhooks.createdAt), asc(webhooks.id))
		.limit(MAX_WEBHOOKS);

/** Delivers to one webhook, until nothing is due, the run is over, or it doesn't answer. */
async function deliverTo(
	db: Database,
	receiver: Receiver,
	transport: WebhookTransport,
	{ began, clock }: { readonly began: number; readonly clock: () => number },
): Promise<Deliveries> {
	const total = { delivered: 0, failed: 0 };
	let record: Statements = {};
	for (let count = 0; ; count++) {
		const isOver = count >= MAX_PER_RUN || clock() - began >= MAX_RUN_MS;
		const { claimed } = await db.batch({
			...record,
			claimed: isOver ? undefined : claim(db.build, receiver.id, clock()),
		});
		const [delivery] = claimed ?? [];
		if (!delivery) return total;
		const fault = await send(receiver, delivery, transport, clock());
		total[fault ? "failed" : "delivered"] += 1;
		record = recordStatements(db.build, receiver.id, delivery, fault, clock());
	}
}

/**
 * Claims what comes next: what has waited longest, but of one row nothing before its earlier events
 * have arrived or were given up.
 */
function claim(build: Builder, webhookId: string, now: number) {
	const next = sql`select due.id from webhook_deliveries as due indexed by webhook_deliveries_due
		where due.webhook_id = ${webhookId} and due.status = 'queued' and due.send_after <= ${now}
			and not exists (select 1 from webhook_deliveries as earlier indexed by webhook_deliveries_of_row
				where earlier.webhook_id = due.webhook_id and earlier.row_id = due.row_id
					and earlier.sequence < due.sequence and earlier.status in ('queued', 'sending'))
			and exists (select 1 from ${webhooks} where ${webhooks.id} = ${webhookId} and ${isOn})
		order by due.send_after, due.sequence limit 1`;
	return (
		build
			.update(webhookDeliveries)
			// While it is being sent, send_after is when it was claimed.
			.set({ status: "sending", attempts: sql`${webhookDeliveries.attempts} + 1`, sendAfter: now })
			.where(sql`${webhookDeliveries.id} = (${next})`)
			.returning({
				id: webhookDeliveries.id,
				sequence: webhookDeliveries.sequence,
				event: webhookDeliveries.event,
				rowId: webhookDeliveries.rowId,
				createdAt: webhookDeliveries.createdAt,
				sendAfter: webhookDeliveries.sendAfter,
				attempts: webhookDeliveries.attempts,
				number: rowNumber,
			})
	);
}

/** Identical each time, so that a receiver can compare. */
const bodyOf = ({ id, event, createdAt, rowId, number }: Claimed): EventBody => ({
	id,
	type: event as EventBody["type"],
	createdAt: new Date(createdAt).toISOString(),
	data: { id: rowId, number },
});

/** Hands over a delivery; undefined if the receiver accepted it. */
async function send(
	{ url, secrets }: Receiver,
	delivery: Claimed,
	transport: WebhookTransport,
	now: number,
): Promise<Fault | undefined> {
	const checked = checkWebhookUrl(url);
	if (!checked.ok) return { words: `${checked.message}.`, isDoubtful: false };
	const body = JSON.stringify(bodyOf(delivery));
	const timestamp = Math.floor(now / 1000);
	const headers = await signedHeaders(secrets, { id: delivery.id, timestamp, body });
	try {
		const status = await transport({ url, body, headers });
		if (status >= 200 && status < 300) return undefined;
		const words =
			status >= 300 && status < 400
				? `It answered ${status}: redirects aren't followed.`
				: `It answered ${status}.`;
		return { words, isDoubtful: false };
	} catch (error) {
		const isSlow = error instanceof Error && error.name === "TimeoutError";
		return {
			words: isSlow ? "It didn't answer within 10 seconds." : "The connection failed.",
			isDoubtful: true,
		};
	}
}
