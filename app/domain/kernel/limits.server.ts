/** Counts what someone has changed or downloaded lately, in the statement that writes. */
import { type SQL, sql } from "drizzle-orm";
import { isMachine } from "./actor.server.ts";
import type { AuditAction } from "./audit-kinds.ts";
import type { Actor, AuthenticatedContext } from "./context.ts";
import { CHANGES_PER_HOUR } from "./limits.ts";
import { getStanding } from "./standing.ts";

const HOUR_MS = 3_600_000;

/**
 * Whether someone has made so many entries of the audit in the last hour. This request's own don't
 * count, because a condition has to mean the same before and after them.
 */
export function hasMade(
	{ user, now, requestId }: AuthenticatedContext,
	count: number,
	action?: AuditAction,
): SQL<number> {
	const isOther = sql`(told.at <> ${now} or told.request_id is not ${requestId})`;
	const isOne = action ? sql`and told.action = ${action}` : sql``;
	return sql`((select count(*) from (select 1 from audit_events as told
		where told.actor_id = ${user.id} and told.at > ${now - HOUR_MS} and ${isOther} ${isOne}
		limit ${count})) >= ${count})`;
}

/** Whether the actor has reached the limit of all changes and downloads. */
export function isOverLimit(actor: Actor | AuthenticatedContext): SQL<number> {
	if (isMachine(actor)) return sql`0`;
	const standing = getStanding(actor.user);
	const count =
		standing === "admin" || standing === "viewer" || standing === "driver"
			? CHANGES_PER_HOUR[standing]
			: CHANGES_PER_HOUR.gated;
	return hasMade(actor, count);
}
