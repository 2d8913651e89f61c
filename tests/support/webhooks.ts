/** Webhooks inserted into the database. */
import { EVENT_NAMES } from "../../app/domain/webhooks/rules.ts";
import { newSecret } from "../../app/domain/webhooks/signature.ts";
import { idOf } from "./cast.ts";
import { insertRow, type Row, type Sql } from "./rows.ts";

/** Inserts a webhook, by default for all events, and returns its id and secret. */
export async function insertWebhook(
	sql: Sql,
	more: Row = {},
): Promise<{ readonly id: string; readonly secret: string }> {
	const id = crypto.randomUUID();
	const secret = newSecret();
	await insertRow(sql, "webhooks", {
		id,
		added_by: idOf("ada"),
		url: "https://hooks.example.com/milepost",
		events: JSON.stringify(EVENT_NAMES),
		secret,
		created_at: 1,
		payload_hash: "x",
		...more,
	});
	return { id, secret };
}

/** Inserts an event of a webhook's, by default one that was delivered. */
export const insertDelivery = (sql: Sql, webhookId: string, more: Row = {}): Promise<void> =>
	insertRow(sql, "webhook_deliveries", {
		id: crypto.randomUUID(),
		webhook_id: webhookId,
		sequence: 1,
		event: "payout.paid",
		row_id: crypto.randomUUID(),
		created_at: 1,
		status: "delivered",
		send_after: 1,
		...more,
	});
