import { sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { OperatorContext, UserRow } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { INVITATION_TTL_MS } from "../../kernel/time-limits.ts";
import { transition } from "../../kernel/transition.server.ts";
import { administrators, queueMail } from "../../mail/queue.server.ts";
import { hasEmail } from "../live-sessions.server.ts";
import { isUnclaimed } from "../rows.server.ts";
import { displayName } from "../rules.ts";

type NewAdmin = { readonly email: string; readonly firstName: string; readonly lastName: string };
type Invited = { readonly user: UserRow; readonly isRenewed: boolean };

/**
 * Invites an administrator for 72 hours; the other administrators are notified. An administrator's
 * unclaimed invitation is renewed, so that a fleet whose first invitation expired isn't locked out.
 * Any other account with the email stays as it is.
 */
export async function inviteAdmin(
	operator: OperatorContext,
	input: NewAdmin,
): Promise<Outcome<Invited, Refused<"email-taken", UserRow | undefined>>> {
	const renewed = await renewAdmin(operator, input);
	if (renewed) return done({ user: renewed, isRenewed: true });
	return createAdmin(operator, input);
}

/** Renews the open invitation of an administrator with this email, with the name given now. */
async function renewAdmin(
	operator: OperatorContext,
	{ email, firstName, lastName }: NewAdmin,
): Promise<UserRow | undefined> {
	const inviteExpiresAt = operator.now + INVITATION_TTL_MS.admin;
	const { changed, rows } = await transition(operator, {
		table: users,
		rows: hasEmail(email),
		when: sql`${users.role} = 'admin' and ${users.isActive} = 1 and ${isUnclaimed}`,
		set: { firstName, lastName, invitedAt: operator.now, inviteExpiresAt },
		audit: {
			action: "invitation.renew",
			entity: "user",
			before: sql`json_object('firstName', ${users.firstName}, 'lastName', ${users.lastName},
				'inviteExpiresAt', ${users.inviteExpiresAt})`,
			after: sql`json_object('firstName', ${firstName}, 'lastName', ${lastName},
				'inviteExpiresAt', cast(${inviteExpiresAt} as integer))`,
		},
		read: (build) => build.select().from(users).where(hasEmail(email)),
	});
	return rows.find(({ id }) => changed.has(id));
}

async function createAdmin(
	operator: OperatorContext,
	{ email, firstName, lastName }: NewAdmin,
): Promise<Outcome<Invited, Refused<"email-taken", UserRow | undefined>>> {
	const { db, now } = operator;
	const id = crypto.randomUUID();
	const name = displayName({ firstName, lastName, email });
	const created = await createOnce(operator, {
		table: users,
		id,
		creator: users.createdBy,
		key: undefined,
		payload: ["admin", email, firstName, lastName],
		facts: {
			isTaken: sql<number>`exists (select 1 from users
				where email = ${email} and deleted_at is null)`,
		},
		accepts: sql`not isTaken`,
		values: {
			role: "admin",
			firstName,
			lastName,
			email,
			approvalStatus: "approved",
			isActive: true,
			createdAt: now,
			approvedAt: now,
			invitedAt: now,
			inviteExpiresAt: now + INVITATION_TTL_MS.admin,
		},
		audit: {
			action: "admin.create",
			entity: "user",
			after: sql`json_object('role', ${users.role}, 'email', ${users.email},
				'firstName', ${users.firstName}, 'lastName', ${users.lastName})`,
		},
		first: { holder: db.build.select().from(users).where(hasEmail(email)) },
		next: (made) => ({
			mail: queueMail(
				db.build,
				{
					kind: "new-admin",
					subject: `New administrator: ${name}`,
					body: `${name} (${email}) has been invited from the command line as an administrator with full access.\n\nIf this is a mistake, cancel the invitation in Driver Management.`,
					aboutId: id,
					dedupeKey: `new-admin:${id}`,
					now,
				},
				sql`${administrators} and ${users.id} <> ${id}
					and exists (select 1 from ${users} where ${made})`,
			),
		}),
		read: (build, rows) => build.select().from(users).where(rows),
	});
	return created.kind === "created"
		? done({ user: created.row, isRenewed: false })
		: refused("email-taken", created.kind === "refused" ? created.answers.holder[0] : undefined);
}
