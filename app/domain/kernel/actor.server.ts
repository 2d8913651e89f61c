/** Who makes a change: what the audit records about them, and whether they still have access. */
import { type SQL, sql } from "drizzle-orm";
import type { Actor, AuditActor, OperatorContext, SelfContext, SystemContext } from "./context.ts";
import { roleIn } from "./shown-in-sql.server.ts";
import { roleOf } from "./standing.ts";

/** The audit's role for an operator at a terminal. */
const OPERATOR_ROLE = "command line";

/** An actor without an account, who therefore can't lose access. */
type Machine = OperatorContext | SystemContext;
export const isMachine = (actor: { readonly role: string }): actor is Machine =>
	actor.role === "operator" || actor.role === "system";

/** The actor as the audit records them. */
export function auditActor(actor: Actor): AuditActor {
	if (isMachine(actor)) {
		return {
			id: null,
			role: actor.role === "operator" ? OPERATOR_ROLE : actor.role,
			sessionRef: null,
			requestId: null,
			now: actor.now,
		};
	}
	const { user, role, sessionRef, requestId, now } = actor;
	return { id: user.id, role, sessionRef, requestId, now };
}

const isSelf = (actor: Exclude<Actor, Machine>): actor is SelfContext => "standing" in actor;

/**
 * Whether the actor still has access, checked in the statement that writes: another administrator
 * may have deactivated them since the guard admitted them.
 */
export function hasAccess(actor: Actor): SQL<number> {
	if (isMachine(actor)) return sql`1`;
	const isThere = sql`actors.id = ${actor.user.id} and actors.is_active = 1
		and actors.deleted_at is null`;
	const isApproved = sql`actors.approval_status = 'approved'`;
	const standing = isSelf(actor)
		? sql`${roleIn("actors")} = ${roleOf(actor.user)}`
		: actor.role === "admin"
			? sql`actors.role = 'admin'`
			: sql`actors.role = 'driver' and ${isApproved}`;
	return sql`exists (select 1 from users as actors where ${isThere} and ${standing})`;
}
