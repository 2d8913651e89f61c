import { and, eq, isNull, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { WebhookEvent } from "../rules.ts";

export type WebhookGone = Refused<"not-found">;
/** Someone else has chosen others since the form was shown. */
export type ChooseRefusal = WebhookGone | Refused<"chosen-since">;

const WORDS = sql`(select group_concat(value, ', ') from json_each(${webhooks.events}))`;

/**
 * Chooses which events a webhook is told of from now on; returns its URL.
 * @param seen the events that the form was shown with: others that were chosen since are kept
 */
export async function chooseEvents(
	admin: AdminContext,
	id: string,
	events: readonly WebhookEvent[],
	seen?: string,
): Promise<Outcome<string, ChooseRefusal>> {
	const chosen = JSON.stringify(events);
	const isSeen = seen === undefined ? sql`1` : sql`${WORDS} = ${seen}`;
	const { rows } = await transition(admin, {
		table: webhooks,
		rows: and(eq(webhooks.id, id), isNull(webhooks.removedAt)) ?? sql`0`,
		when: sql`${webhooks.events} <> ${chosen} and ${isSeen}`,
		set: { events: chosen },
		audit: {
			action: "webhook.choose-events",
			entity: "webhook",
			before: sql`json_object('events', ${WORDS})`,
			after: sql`json_object('events', ${events.join(", ")})`,
		},
		read: (build) =>
			build
				.select({ url: webhooks.url, events: webhooks.events })
				.from(webhooks)
				.where(and(eq(webhooks.id, id), isNull(webhooks.removedAt))),
	});
	const [webhook] = rows;
	if (!webhook) return refused("not-found");
	return webhook.events === chosen ? done(webhook.url) : refused("chosen-since");
}
