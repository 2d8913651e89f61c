import { eq, isNull, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { WebhookGone } from "./choose-events.server.ts";
import { giveUpWaiting } from "./switch.server.ts";

/** Removes a webhook and its secrets for good; returns its URL. */
export async function removeWebhook(
	admin: AdminContext,
	id: string,
): Promise<Outcome<string, WebhookGone>> {
	const { rows } = await transition(admin, {
		table: webhooks,
		rows: eq(webhooks.id, id),
		when: isNull(webhooks.removedAt),
		set: { removedAt: admin.now, secret: "", olderSecret: null, olderSecretUntil: null },
		audit: {
			action: "webhook.remove",
			entity: "webhook",
			before: sql`json_object('url', ${webhooks.url})`,
		},
		next: (removed) => ({ waiting: giveUpWaiting(admin.db.build, id, removed) }),
		read: (build) => build.select({ url: webhooks.url }).from(webhooks).where(eq(webhooks.id, id)),
	});
	const [webhook] = rows;
	return webhook ? done(webhook.url) : refused("not-found");
}
