import { and, eq, isNull, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { webhookDeliveries, webhooks } from "../../../db/schema.ts";
import { done, type Outcome, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { WebhookGone } from "./choose-events.server.ts";

/** Gives up what waits for a webhook that has just been switched off or removed. */
export const giveUpWaiting = (build: Builder, id: string, isChanged: ReturnType<typeof sql>) =>
	build
		.update(webhookDeliveries)
		.set({ status: "failed", lastError: "The webhook was switched off or removed." })
		.where(
			sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.status} = 'queued'
				and exists (select 1 from ${webhooks} where ${isChanged})`,
		);

/** Switches a webhook on or off; returns its URL. What waits for one that is off is given up. */
export async function switchWebhook(
	admin: AdminContext,
	id: string,
	isOn: boolean,
): Promise<Outcome<string, WebhookGone>> {
	const isThere = and(eq(webhooks.id, id), isNull(webhooks.removedAt)) ?? sql`0`;
	const { rows } = await transition(admin, {
		table: webhooks,
		rows: isThere,
		when: sql`(${webhooks.switchedOffAt} is null) <> ${isOn ? 1 : 0}`,
		set: { switchedOffAt: isOn ? null : admin.now, failingSince: null },
		audit: { action: isOn ? "webhook.switch-on" : "webhook.switch-off", entity: "webhook" },
		next: (changed) => (isOn ? {} : { waiting: giveUpWaiting(admin.db.build, id, changed) }),
		read: (build) => build.select({ url: webhooks.url }).from(webhooks).where(isThere),
	});
	const [webhook] = rows;
	return webhook ? done(webhook.url) : refused("not-found");
}
