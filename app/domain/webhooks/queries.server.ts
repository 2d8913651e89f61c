/** Reads of webhooks and their deliveries, with secrets only for signing. */
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import { webhookDeliveries, webhooks } from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import {
	driverCodeOf,
	payoutNumberOf,
	requestNumberOf,
	settlementNumberOf,
} from "../kernel/shown-in-sql.server.ts";
import { MAX_WEBHOOKS } from "./rules.ts";
import type { DeliveryCursor } from "./search.ts";

/** Deliveries per page. */
export const DELIVERIES_PAGE = 25;

/** The webhooks that weren't removed, oldest first. */
export const selectWebhooks = (build: Builder) =>
	build
		.select({
			id: webhooks.id,
			url: webhooks.url,
			events: webhooks.events,
			olderSecretUntil: webhooks.olderSecretUntil,
			failingSince: webhooks.failingSince,
			switchedOffAt: webhooks.switchedOffAt,
		})
		.from(webhooks)
		.where(isNull(webhooks.removedAt))
		.orderBy(asc(webhooks.createdAt), asc(webhooks.id))
		.limit(MAX_WEBHOOKS);

/** Whether a webhook is sent events. */
export const isOn = and(isNull(webhooks.removedAt), isNull(webhooks.switchedOffAt));

/** Whether a delivery's webhook is still sent events. */
export const isWanted = sql<number>`exists (select 1 from ${webhooks}
	where ${webhooks.id} = ${webhookDeliveries.webhookId} and ${isOn})`;

/**
 * The number that people call an event's row by. An applicant has none, so that what is sent about
 * one stays the same when they get theirs.
 */
export const rowNumber = sql<string | null>`case ${webhookDeliveries.event}
	when 'driver.approved' then (select ${driverCodeOf(sql`driver_number`)} from users
		where users.id = ${webhookDeliveries.rowId} and driver_number is not null)
	when 'request.created' then ${numberOfRequest()}
	when 'request.decided' then ${numberOfRequest()}
	when 'request.reopened' then ${numberOfRequest()}
	when 'payout.paid' then ${numberOfPayout()}
	when 'payout.reopened' then ${numberOfPayout()}
	when 'settlement.published' then (select ${settlementNumberOf(sql`number`)} from settlements
		where settlements.id = ${webhookDeliveries.rowId}) end`;

function numberOfRequest(): SQL {
	return sql`(select ${requestNumberOf(sql`number`)} from fund_requests
		where fund_requests.id = ${webhookDeliveries.rowId})`;
}

function numberOfPayout(): SQL {
	return sql`(select ${payoutNumberOf(sql`number`)} from payouts
		where payouts.id = ${webhookDeliveries.rowId})`;
}

/**
 * One page of the deliveries, newest first, plus one row that shows whether there is another page.
 */
export function listDeliveries(build: Builder, position?: Position<DeliveryCursor>) {
	const { createdAt, id } = webhookDeliveries;
	const place = position && {
		way: position.way,
		values: [position.cursor.createdAt, position.cursor.id],
	};
	const page = keyset([createdAt, id], "desc", place);
	return build
		.select({
			id,
			createdAt,
			event: webhookDeliveries.event,
			rowId: webhookDeliveries.rowId,
			number: rowNumber,
			status: webhookDeliveries.status,
			attempts: webhookDeliveries.attempts,
			mayHaveArrived: webhookDeliveries.mayHaveArrived,
			sendAfter: webhookDeliveries.sendAfter,
			deliveredAt: webhookDeliveries.deliveredAt,
			lastError: webhookDeliveries.lastError,
			url: webhooks.url,
			isOn: sql<number>`(${isOn})`,
		})
		.from(webhookDeliveries)
		.innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
		.where(page.past)
		.orderBy(page.order)
		.limit(DELIVERIES_PAGE + 1);
}
