import { sql } from "drizzle-orm";
import { type ROLES, users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { OperatorContext, UserRow } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { hasEmail, holdsSession } from "../live-sessions.server.ts";
import { nextDriverNumber } from "../rows.server.ts";
import { endSessionsStatement } from "../sessions.server.ts";

type RoleRefusal =
	| Refused<"not-found">
	| Refused<"unchanged", UserRow>
	| Refused<"last-admin", UserRow>
	| Refused<"has-driver-code", UserRow>;

/**
 * Changes an account's role; its sessions end in the same batch. Never removes the last
 * administrator who can sign in, and never makes a driver with a code an administrator: the code
 * stays theirs, and no administrator may have one. An approved person who becomes a driver gets a
 * code if they have none.
 * @param who their email, or for someone whose email isn't verified the reference of a session
 */
export async function changeRole(
	operator: OperatorContext,
	who: string | { readonly session: string },
	role: (typeof ROLES)[number],
): Promise<Outcome<UserRow, RoleRefusal>> {
	const { now } = operator;
	const person = typeof who === "string" ? hasEmail(who) : holdsSession(who.session);
	// Active and with an identity: someone with an open invitation may never sign in.
	const isAnotherThere = sql`exists (select 1 from users as other
		where other.id <> ${users.id} and other.role = 'admin' and other.is_active = 1
			and other.deleted_at is null
			and exists (select 1 from identities where identities.user_id = other.id))`;
	const isPossible =
		role === "admin"
			? sql`${users.driverNumber} is null`
			: sql`(${users.role} <> 'admin' or ${isAnotherThere})`;
	const driverNumber = sql`iif(${users.approvalStatus} = 'approved',
		coalesce(${users.driverNumber}, ${nextDriverNumber}), ${users.driverNumber})`;
	const approvedAt = sql`coalesce(${users.approvedAt}, ${now})`;
	const { changed, rows } = await transition(operator, {
		table: users,
		rows: person,
		when: sql`${users.role} <> ${role} and ${isPossible}`,
		set: {
			role,
			...(role === "admin" ? { approvalStatus: "approved", approvedAt } : {}),
			...(role === "driver" ? { driverNumber } : {}),
		},
		audit: {
			action: "user.change-role",
			entity: "user",
			before: sql`json_object('role', ${users.role})`,
			after: sql`json_object('role', ${role})`,
		},
		next: (changed) => ({
			sessions: endSessionsStatement(operator.db.build, changed, "role-changed", now),
		}),
		read: (build) => build.select().from(users).where(person),
	});
	const [user] = rows;
	if (!user) return refused("not-found");
	if (changed.has(user.id)) return done(user);
	if (user.role === role) return refused("unchanged", user);
	return refused(role === "admin" ? "has-driver-code" : "last-admin", user);
}
