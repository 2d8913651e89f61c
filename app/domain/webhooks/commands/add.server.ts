import { sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { isFreshSession } from "../../kernel/fresh-session.server.ts";
import type { NewWebhookInput } from "../input.ts";
import { MAX_WEBHOOKS } from "../rules.ts";
import { newSecret } from "../signature.ts";

export type AddWebhookRefusal =
	| Refused<"sign-in-again">
	| Refused<"too-many">
	| Refused<"added-before">
	| Refused<"key-reused">;
/** The only time a secret leaves the database except to sign. */
export type ShownSecret = { readonly id: string; readonly secret: string };

/** Adds a webhook, within 15 minutes of the administrator proving their identity at a sign-in. */
export async function addWebhook(
	admin: AdminContext,
	{ url, events, key }: NewWebhookInput,
): Promise<Outcome<ShownSecret, AddWebhookRefusal>> {
	const { user, now } = admin;
	const id = crypto.randomUUID();
	const secret = newSecret();
	const created = await createOnce(admin, {
		table: webhooks,
		id,
		creator: webhooks.addedBy,
		key,
		payload: [url, ...events],
		facts: {
			isFresh: isFreshSession(admin),
			there: sql<number>`(select count(*) from webhooks where removed_at is null)`,
		},
		accepts: sql`isFresh and there < ${MAX_WEBHOOKS}`,
		values: {
			addedBy: user.id,
			url,
			events: JSON.stringify(events),
			secret,
			createdAt: now,
		},
		audit: {
			action: "webhook.add",
			entity: "webhook",
			after: sql`json_object('url', ${webhooks.url}, 'events', ${events.join(", ")})`,
		},
		read: (build, rows) => build.select({ id: webhooks.id }).from(webhooks).where(rows),
	});
	switch (created.kind) {
		case "created":
			return done({ id, secret });
		case "replayed":
			return refused("added-before");
		case "key-reused":
			return refused("key-reused");
		case "refused":
			return refused(created.facts.isFresh ? "too-many" : "sign-in-again");
	}
}
