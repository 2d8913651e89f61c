import { and, eq, isNull, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isFreshSession } from "../../kernel/fresh-session.server.ts";
import { transition } from "../../kernel/transition.server.ts";
import { OLDER_SECRET_MS, secretMark } from "../rules.ts";
import { newSecret } from "../signature.ts";
import type { ShownSecret } from "./add.server.ts";

export type RotateRefusal =
	| Refused<"not-found">
	| Refused<"sign-in-again">
	/** The form was sent before, or someone else has replaced the secret that it was about. */
	| Refused<"replaced-before">;

/**
 * Replaces a webhook's secret. For a day the previous one signs too, so that the receiver can
 * change over at any time; a third one ends the oldest.
 * @param seen the mark of the secret that the form was shown for: another one isn't replaced, so that
 * a form that is sent twice doesn't end the secret that the receiver still has
 */
export async function rotateSecret(
	admin: AdminContext,
	id: string,
	seen?: string,
): Promise<Outcome<ShownSecret, RotateRefusal>> {
	const secret = newSecret();
	const isSeen =
		seen === undefined
			? sql`1`
			: sql`coalesce(cast(${webhooks.olderSecretUntil} as text), ${secretMark(null)}) = ${seen}`;
	const { changed, rows } = await transition(admin, {
		table: webhooks,
		rows: and(eq(webhooks.id, id), isNull(webhooks.removedAt)) ?? sql`0`,
		when: sql`${isFreshSession(admin)} and ${isSeen}`,
		set: {
			secret,
			olderSecret: sql`${webhooks.secret}`,
			olderSecretUntil: admin.now + OLDER_SECRET_MS,
		},
		audit: { action: "webhook.rotate-secret", entity: "webhook" },
		read: (build) =>
			build
				.select({ id: webhooks.id, olderSecretUntil: webhooks.olderSecretUntil })
				.from(webhooks)
				.where(and(eq(webhooks.id, id), isNull(webhooks.removedAt))),
	});
	const [webhook] = rows;
	if (!webhook) return refused("not-found");
	if (changed.has(id)) return done({ id, secret });
	const isAnother = seen !== undefined && secretMark(webhook.olderSecretUntil) !== seen;
	return refused(isAnother ? "replaced-before" : "sign-in-again");
}
