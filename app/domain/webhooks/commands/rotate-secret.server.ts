import { and, eq, isNull, sql } from "drizzle-orm";
import { webhooks } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isFreshSession } from "../../kernel/fresh-session.server.ts";
import { transition } from "../../kernel/transition.server.ts";
import { OLDER_SECRET_MS } from "../rules.ts";
import { newSecret } from "../signature.ts";
import type { ShownSecret } from "./add.server.ts";

export type RotateRefusal = Refused<"not-found"> | Refused<"sign-in-again">;

/**
 * Replaces a webhook's secret. For a day the previous one signs too, so that the receiver can
 * change over at any time; a third one ends the oldest.
 */
export async function rotateSecret(
	admin: AdminContext,
	id: string,
): Promise<Outcome<ShownSecret, RotateRefusal>> {
	const secret = newSecret();
	const { changed, rows } = await transition(admin, {
		table: webhooks,
		rows: and(eq(webhooks.id, id), isNull(webhooks.removedAt)) ?? sql`0`,
		when: isFreshSession(admin),
		set: {
			secret,
			olderSecret: sql`${webhooks.secret}`,
			olderSecretUntil: admin.now + OLDER_SECRET_MS,
		},
		audit: { action: "webhook.rotate-secret", entity: "webhook" },
		read: (build) =>
			build
				.select({ id: webhooks.id })
				.from(webhooks)
				.where(and(eq(webhooks.id, id), isNull(webhooks.removedAt))),
	});
	if (rows.length === 0) return refused("not-found");
	return changed.has(id) ? done({ id, secret }) : refused("sign-in-again");
}
