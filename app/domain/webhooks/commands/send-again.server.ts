import { eq, sql } from "drizzle-orm";
import { webhookDeliveries } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { auditActor, hasAccess } from "../../kernel/actor.server.ts";
import { auditStatement } from "../../kernel/audit-entry.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOverLimit } from "../../kernel/limits.server.ts";
import { throwAccessLost, throwTooMany } from "../../kernel/transition.server.ts";
import { isWanted } from "../queries.server.ts";

export type DeliverAgainRefusal = Refused<"not-found"> | Refused<"under-way" | "switched-off">;

/**
 * Queues again a delivery that arrived or was given up, under the id that the receiver knows.
 * Deliveries aren't business rows, so there is no change id: the status shows that it is queued,
 * and a repeated batch finds it so.
 */
export async function deliverAgain(
	admin: AdminContext,
	id: string,
): Promise<Outcome<undefined, DeliverAgainRefusal>> {
	const { db, now } = admin;
	const { build } = db;
	const isOpen = sql`${eq(webhookDeliveries.id, id)}
		and ${webhookDeliveries.status} in ('delivered', 'failed') and ${isWanted}
		and ${hasAccess(admin)} and not ${isOverLimit(admin)}`;
	const entry = {
		action: "webhook.deliver-again",
		entity: "webhook-delivery",
		after: sql`json_object('event', ${webhookDeliveries.event})`,
	} as const;
	const { queued, rows, checks } = await db.batch({
		audit: auditStatement(build, auditActor(admin), entry, webhookDeliveries, isOpen),
		queued: build
			.update(webhookDeliveries)
			.set({
				status: "queued",
				sendAfter: now,
				attempts: 0,
				lastError: null,
				mayHaveArrived: false,
				deliveredAt: null,
			})
			.where(isOpen)
			.returning({ id: webhookDeliveries.id }),
		rows: build
			.select({ isOn: sql<number>`${isWanted}` })
			.from(webhookDeliveries)
			.where(eq(webhookDeliveries.id, id)),
		checks: build.all<{ isAllowed: number; isTooMany: number }>(
			sql`select ${hasAccess(admin)} as isAllowed, ${isOverLimit(admin)} as isTooMany`,
		),
	});
	if (queued.length > 0) return done(undefined);
	if (!checks[0]?.isAllowed) return throwAccessLost(admin);
	const [row] = rows;
	if (!row) return refused("not-found");
	if (checks[0].isTooMany) return throwTooMany(admin);
	return refused(row.isOn ? "under-way" : "switched-off");
}
