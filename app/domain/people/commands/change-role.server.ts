import { and, isNull, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { OperatorContext, UserRow } from "../../kernel/context.ts";
import { roleIn } from "../../kernel/shown-in-sql.server.ts";
import { isOfOffice, roleOf, type ShownRole } from "../../kernel/standing.ts";
import { transition } from "../../kernel/transition.server.ts";
import { cancelReminders } from "../../mail/queue.server.ts";
import { queueNewRoleEmail } from "../emails.server.ts";
import { hasEmail, holdsSession } from "../live-sessions.server.ts";
import { nextDriverNumber } from "../rows.server.ts";
import { endSessionsStatement, revokeTokensStatement } from "../sessions.server.ts";

type RoleRefusal =
	| Refused<"not-found">
	| Refused<"unchanged", UserRow>
	| Refused<"last-admin", UserRow>
	| Refused<"has-driver-code", UserRow>;

/**
 * Changes an account's role; its sessions end in the same batch, and the other administrators are
 * told of a new administrator or accountant. Never removes the last administrator who can sign in,
 * and never makes a driver with a code an administrator or an accountant: they keep the code, which
 * neither may have. An approved person who becomes a driver gets a code if they have none.
 * @param who their email, or for someone whose email isn't verified the reference of a session
 */
export async function changeRole(
	operator: OperatorContext,
	who: string | { readonly session: string },
	role: ShownRole,
): Promise<Outcome<UserRow, RoleRefusal>> {
	const { now } = operator;
	const person = typeof who === "string" ? hasEmail(who) : holdsSession(who.session);
	// Active and with an identity: someone with an open invitation may never sign in.
	const isAnotherThere = sql`exists (select 1 from users as other
		where other.id <> ${users.id} and other.role = 'admin' and other.is_active = 1
			and other.deleted_at is null
			and exists (select 1 from identities where identities.user_id = other.id))`;
	const isAnyLeft = sql`(${users.role} <> 'admin' or ${isAnotherThere})`;
	const isPossible = and(
		isOfOffice(role) ? isNull(users.driverNumber) : undefined,
		role === "admin" ? undefined : isAnyLeft,
	);
	const driverNumber = sql`iif(${users.approvalStatus} = 'approved',
		coalesce(${users.driverNumber}, ${nextDriverNumber}), ${users.driverNumber})`;
	const approvedAt = sql`coalesce(${users.approvedAt}, ${now})`;
	const { changed, rows } = await transition(operator, {
		table: users,
		rows: person,
		when: sql`${roleIn("users")} <> ${role} and ${isPossible}`,
		set: {
			role: role === "viewer" ? "none" : role,
			isViewer: role === "viewer" ? true : null,
			...(isOfOffice(role) ? { approvalStatus: "approved", approvedAt } : {}),
			...(role === "driver" ? { driverNumber } : {}),
		},
		audit: {
			action: "user.change-role",
			entity: "user",
			before: sql`json_object('role', ${roleIn("users")})`,
			after: sql`json_object('role', ${role})`,
		},
		next: (changed, changeId) => ({
			mail: isOfOffice(role)
				? queueNewRoleEmail(operator.db.build, role, changed, changeId, now)
				: undefined,
			sessions: endSessionsStatement(operator.db.build, changed, "role-changed", now),
			tokens: revokeTokensStatement(operator.db.build, changed, null, now),
			reminders: cancelReminders(operator.db.build, "all", changed),
		}),
		read: (build) => build.select().from(users).where(person),
	});
	const [user] = rows;
	if (!user) return refused("not-found");
	if (changed.has(user.id)) return done(user);
	if (roleOf(user) === role) return refused("unchanged", user);
	return refused(user.role === "admin" ? "last-admin" : "has-driver-code", user);
}
