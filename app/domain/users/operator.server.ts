/**
 * What the operator of a fleet does from a terminal (tools/admin.ts): make an administrator, see and end sessions, change a role.
 * No session proves him: whoever may run these statements has the database already. The audit names 'command line' as the actor.
 */
import { and, desc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { type ROLES, sessions, users } from "../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { type AuditActor, auditStatement } from "../audit/commands.server.ts";
import type { UserRow } from "../context.ts";
import { nextDriverNumber } from "../drivers/commands.server.ts";
import { INVITATION_LENGTH } from "../drivers/rules.ts";
import { queueMail } from "../mail/commands.server.ts";
import { endSessionsStatement } from "./commands.server.ts";
import { nameOf } from "./rules.ts";

export type Operator = {
	readonly db: Database;
	/** UTC milliseconds. */
	readonly now: number;
};

/** Sessions listed at once. */
export const MOST_LISTED = 500;

const actor = (now: number): AuditActor => ({ id: null, role: "command line", sessionRef: null, requestId: null, now });
/** The live account of an address that was given by an administrator or verified; what somebody only claims names nobody. */
const holds = (email: string): SQL => and(eq(users.email, email), isNull(users.deletedAt)) as SQL;

/**
 * Invites an administrator for 72 hours; the other administrators are told. An administrator's invitation that nobody has claimed is
 * renewed, so that a fleet whose first invitation ran out is not locked out. Any other account with the address stays as it is.
 */
export async function inviteAdmin(
	{ db, now }: Operator,
	input: { readonly email: string; readonly firstName: string; readonly lastName: string },
): Promise<Outcome<{ user: UserRow; isRenewed: boolean }, Refused<"email-taken", UserRow | undefined>>> {
	const { build } = db;
	const { email, firstName, lastName } = input;
	const id = crypto.randomUUID();
	const changeId = crypto.randomUUID();
	const isOpen = sql`${holds(email)} and ${users.role} = 'admin' and ${users.isActive} = 1 and ${users.invitedAt} is not null and ${users.claimedAt} is null
		and ${users.lastChangeId} is not ${changeId} and not exists (select 1 from identities where identities.user_id = ${users.id})`;
	const isNew = sql`${users.id} = ${id} and not exists (select 1 from audit_events where entity = 'user' and entity_id = ${id})`;
	const made = { role: sql`'admin'`, email: sql`${email}`, firstName: sql`${firstName}`, lastName: sql`${lastName}` };
	const { holder } = await db.batch({
		renewAudit: auditStatement(
			build,
			actor(now),
			{
				action: "invitation.renew",
				entity: "user",
				before: sql`json_object('firstName', ${users.firstName}, 'lastName', ${users.lastName}, 'inviteExpiresAt', ${users.inviteExpiresAt})`,
				after: sql`json_object('firstName', ${firstName}, 'lastName', ${lastName}, 'inviteExpiresAt', cast(${now + INVITATION_LENGTH.admin} as integer))`,
			},
			users,
			isOpen,
		),
		renew: build
			.update(users)
			.set({ firstName, lastName, invitedAt: now, inviteExpiresAt: now + INVITATION_LENGTH.admin, lastChangeId: changeId })
			.where(isOpen),
		create: build.run(sql`
			insert into users (id, role, first_name, last_name, email, approval_status, is_active, created_at, approved_at, invited_at, invite_expires_at, last_change_id)
			select ${id}, 'admin', ${firstName}, ${lastName}, ${email}, 'approved', 1, ${now}, ${now}, ${now}, ${now + INVITATION_LENGTH.admin}, ${changeId}
			where not exists (select 1 from users where email = ${email} and deleted_at is null)`),
		createAudit: auditStatement(
			build,
			actor(now),
			{
				action: "admin.create",
				entity: "user",
				after: sql`json_object('role', ${made.role}, 'email', ${made.email}, 'firstName', ${made.firstName}, 'lastName', ${made.lastName})`,
			},
			users,
			isNew,
		),
		mail: queueMail(
			build,
			{
				kind: "new-admin",
				subject: `New administrator: ${nameOf(input)}`,
				body: `${nameOf(input)} (${email}) has been invited from the command line as an administrator with full access.\n\nIf this is a mistake, cancel the invitation under Driver Management.`,
				aboutId: id,
				dedupeKey: `new-admin:${changeId}`,
				now,
			},
			sql`${users.role} = 'admin' and ${users.isActive} = 1 and ${users.deletedAt} is null and ${users.email} is not ${email}
				and exists (select 1 from users as invited where invited.id = ${id} and invited.last_change_id = ${changeId})`,
		),
		holder: build.select().from(users).where(holds(email)),
	});
	const user = holder[0];
	return user?.lastChangeId === changeId ? done({ user, isRenewed: user.id !== id }) : refused("email-taken", user);
}

/** The sessions that are open now, latest seen first: of one address, or of everybody. */
export async function liveSessions({ db, now }: Operator, email?: string) {
	const { rows, holder } = await db.batch({
		rows: db.build
			.select({
				firstName: users.firstName,
				lastName: users.lastName,
				email: sql<string | null>`coalesce(${users.email}, ${users.unverifiedEmail})`.as("address"),
				role: users.role,
				startedAt: sessions.createdAt,
				lastSeenAt: sessions.lastSeenAt,
				/** First digits of the token's hash, as the audit has them: tells sessions apart, opens nothing. */
				ref: sql<string>`substr(${sessions.tokenHash}, 1, 16)`.as("ref"),
			})
			.from(sessions)
			.innerJoin(users, eq(users.id, sessions.userId))
			.where(
				and(
					isNull(sessions.endedAt),
					gt(sessions.expiresAt, now),
					eq(users.isActive, true),
					email === undefined ? undefined : holds(email),
				),
			)
			.orderBy(desc(sessions.lastSeenAt), sessions.tokenHash)
			.limit(MOST_LISTED),
		holder: db.build
			.select({ id: users.id })
			.from(users)
			.where(email === undefined ? sql`0` : holds(email)),
	});
	return email !== undefined && !holder[0] ? refused("not-found") : done(rows);
}

/** Ends every session of the account with an address. Answers how many were open. */
export async function endSessions({ db, now }: Operator, email: string): Promise<Outcome<number, Refused<"not-found">>> {
	const isOpen = sql`exists (select 1 from sessions where sessions.user_id = ${users.id} and sessions.ended_at is null and sessions.expires_at > ${now})`;
	const { ended, holder } = await db.batch({
		audit: auditStatement(db.build, actor(now), { action: "session.end-all", entity: "user" }, users, sql`${holds(email)} and ${isOpen}`),
		end: endSessionsStatement(db.build, holds(email), "ended-by-admin", now),
		ended: db.build
			.select({ ref: sql<string>`substr(${sessions.tokenHash}, 1, 16)`.as("ref") })
			.from(sessions)
			.where(
				sql`${sessions.userId} in (select ${users.id} from ${users} where ${holds(email)}) and ${sessions.endedReason} = 'ended-by-admin'
				and ${sessions.endedAt} = ${now} and ${sessions.expiresAt} > ${now}`,
			),
		holder: db.build.select({ id: users.id }).from(users).where(holds(email)),
	});
	return holder[0] ? done(ended.length) : refused("not-found");
}

type RoleRefusal =
	| Refused<"not-found">
	| Refused<"unchanged", UserRow>
	| Refused<"last-admin", UserRow>
	| Refused<"has-driver-code", UserRow>;

/**
 * Gives an account another role; its sessions end in the same batch. Never takes the last administrator who can sign in, and never makes
 * an administrator of a driver who has a code: the code stays his, and no administrator may have one.
 * Somebody approved who becomes a driver gets a code if he has none.
 */
export async function changeRole(
	{ db, now }: Operator,
	email: string,
	role: (typeof ROLES)[number],
): Promise<Outcome<UserRow, RoleRefusal>> {
	const { build } = db;
	const changeId = crypto.randomUUID();
	// Active and with an identity: somebody whose invitation is still open may never come.
	const isAnotherThere = sql`exists (select 1 from users as other where other.id <> ${users.id} and other.role = 'admin' and other.is_active = 1
		and other.deleted_at is null and exists (select 1 from identities where identities.user_id = other.id))`;
	const isPossible = sql`${holds(email)} and ${users.role} <> ${role} and ${users.lastChangeId} is not ${changeId}
		and ${role === "admin" ? sql`${users.driverNumber} is null` : sql`(${users.role} <> 'admin' or ${isAnotherThere})`}`;
	const { holder } = await db.batch({
		audit: auditStatement(
			build,
			actor(now),
			{
				action: "user.change-role",
				entity: "user",
				before: sql`json_object('role', ${users.role})`,
				after: sql`json_object('role', ${role})`,
			},
			users,
			isPossible,
		),
		sessions: endSessionsStatement(build, isPossible, "role-changed", now),
		change: build
			.update(users)
			.set({
				role,
				...(role === "admin" ? { approvalStatus: "approved", approvedAt: sql`coalesce(${users.approvedAt}, ${now})` } : {}),
				...(role === "driver"
					? {
							driverNumber: sql`iif(${users.approvalStatus} = 'approved', coalesce(${users.driverNumber}, ${nextDriverNumber}), ${users.driverNumber})`,
						}
					: {}),
				lastChangeId: changeId,
			})
			.where(isPossible),
		holder: build.select().from(users).where(holds(email)),
	});
	const user = holder[0];
	if (!user) return refused("not-found");
	if (user.lastChangeId === changeId) return done(user);
	if (user.role === role) return refused("unchanged", user);
	return refused(role === "admin" ? "has-driver-code" : "last-admin", user);
}
