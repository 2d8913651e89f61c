/** Who acts: what the audit writes down about them, and whether they still may. */
import { type SQL, sql } from "drizzle-orm";
import type { Actor, AuditActor, OperatorContext, SelfContext, SystemContext } from "./context.ts";

/** The role by which the audit knows the operator of a fleet at a terminal. */
export const OPERATOR_ROLE = "command line";

/** Who acts without an account, and so cannot lose it. */
type Machine = OperatorContext | SystemContext;
const isMachine = (actor: Actor): actor is Machine =>
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
 * Whether the actor may still do what the guard admitted them for, asked in the very statement
 * that writes: between the guard and the write another administrator may have deactivated them.
 */
export function stillAllowed(actor: Actor): SQL<number> {
	if (isMachine(actor)) return sql`1`;
	const isThere = sql`actors.id = ${actor.user.id} and actors.is_active = 1
		and actors.deleted_at is null`;
	const isApproved = sql`actors.approval_status = 'approved'`;
	const standing = isSelf(actor)
		? sql`actors.role = ${actor.user.role}`
		: actor.role === "admin"
			? sql`actors.role = 'admin'`
			: sql`actors.role = 'driver' and ${isApproved}`;
	return sql`exists (select 1 from users as actors where ${isThere} and ${standing})`;
}
