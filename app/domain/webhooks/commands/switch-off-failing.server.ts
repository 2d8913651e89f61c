import { and, eq, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import type { SystemContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { administrators, queueMail, type Site } from "../../mail/queue.server.ts";
import { isOn } from "../queries.server.ts";
import { MAX_FAILING_MS } from "../rules.ts";
import { giveUpWaiting } from "./switch.server.ts";

/**
 * Whether a webhook has accepted nothing for five days and still doesn't: if everything was given
 * up before, nobody knows whether it works again until the next event.
 */
export const hasFailedTooLong = (now: number) =>
	sql<number>`(coalesce(${webhooks.failingSince} <= ${now - MAX_FAILING_MS}, 0)
		and exists (select 1 from webhook_deliveries as failing where failing.webhook_id = webhooks.id
			and failing.status = 'queued' and failing.attempts > 0))`;

/** Switches off a webhook that has failed for five days, and tells the administrators. */
export async function switchOffFailing(
	system: SystemContext,
	{ id, url }: { readonly id: string; readonly url: string },
	site: Site,
): Promise<void> {
	const { db, now } = system;
	const { host } = new URL(url);
	await transition(system, {
		table: webhooks,
		rows: eq(webhooks.id, id),
		when: and(isOn, hasFailedTooLong(now)) ?? sql`0`,
		set: { switchedOffAt: now },
		audit: { action: "webhook.switch-off", entity: "webhook", reason: "It failed for five days." },
		next: (changed, changeId) => ({
			waiting: giveUpWaiting(db.build, id, changed),
			emails: queueMail(
				db.build,
				{
					kind: "webhook-switched-off",
					subject: `The webhook at ${host} was switched off`,
					body: `Nothing has been delivered to the webhook at ${host} for five days, so it was switched off. It won't receive events until you switch it on again.\n\nSee what went wrong, and switch it on once it works: ${site.origin}/settings/webhooks`,
					aboutId: id,
					dedupeKey: `webhook-switched-off:${changeId}`,
					now,
				},
				sql`${administrators} and exists (select 1 from ${webhooks} where ${changed})`,
			),
		}),
		read: (build) => build.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, id)),
	});
}
