import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { WebhookEvent } from "../rules.ts";

export type WebhookGone = Refused<"not-found">;

const WORDS = sql`(select group_concat(value, ', ') from json_each(${webhooks.events}))`;

/** Chooses which events a webhook is told of from now on; returns its URL. */
export async function chooseEvents(
	admin: AdminContext,
	id: string,
	events: readonly WebhookEvent[],
): Promise<Outcome<string, WebhookGone>> {
	const chosen = JSON.stringify(events);
	const { rows } = await transition(admin, {
		table: webhooks,
		rows: and(eq(webhooks.id, id), isNull(webhooks.removedAt)) ?? sql`0`,
		when: ne(webhooks.events, chosen),
		set: { events: chosen },
		audit: {
			action: "webhook.choose-events",
			entity: "webhook",
			before: sql`json_object('events', ${WORDS})`,
			after: sql`json_object('events', ${events.join(", ")})`,
		},
		read: (build) =>
			build
				.select({ url: webhooks.url })
				.from(webhooks)
				.where(and(eq(webhooks.id, id), isNull(webhooks.removedAt))),
	});
	const [webhook] = rows;
	return webhook ? done(webhook.url) : refused("not-found");
}
