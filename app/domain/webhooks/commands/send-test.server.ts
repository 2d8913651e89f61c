import { and, eq, isNull, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";

export type TestRefusal = Refused<"not-found"> | Refused<"switched-off">;

/** Queues a test event for a webhook: its audit entry does. Returns its URL. */
export async function sendTestEvent(
	admin: AdminContext,
	id: string,
): Promise<Outcome<string, TestRefusal>> {
	const isThere = and(eq(webhooks.id, id), isNull(webhooks.removedAt)) ?? sql`0`;
	const { changed, rows } = await transition(admin, {
		table: webhooks,
		rows: isThere,
		when: isNull(webhooks.switchedOffAt),
		set: {},
		audit: { action: "webhook.test", entity: "webhook" },
		read: (build) => build.select({ url: webhooks.url }).from(webhooks).where(isThere),
	});
	const [webhook] = rows;
	if (!webhook) return refused("not-found");
	return changed.has(id) ? done(webhook.url) : refused("switched-off");
}
