/** People whom an administrator makes: approved at once, invited until their first sign-in claims the account. */
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { users } from "../../db/schema.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { AdminContext, UserRow } from "../context.ts";
import { cancelMail, type Site } from "../mail/commands.server.ts";
import { nameOf } from "../users/rules.ts";
import { isStillAdmin } from "../users/standing.server.ts";
import { nextDriverNumber } from "./commands.server.ts";
import type { NewPersonInput } from "./input.ts";
import { invitationMail, newAdminMail } from "./letters.server.ts";
import { INVITATION_LENGTH, type PeopleRefusal } from "./rules.ts";

type Changed = Outcome<UserRow, PeopleRefusal>;
/** The person; `isReplay` where the same submission had made him before. */
type Made = Outcome<UserRow & { readonly isReplay: boolean }, PeopleRefusal>;

/** Makes an approved driver with a driver ID and invites him. */
export function createDriver(admin: AdminContext, input: NewPersonInput, site: Site): Promise<Made> {
	return createPerson(admin, input, site, "driver");
}

/** Makes an administrator with full access and invites him; every other administrator is told. */
export function createAdmin(admin: AdminContext, input: NewPersonInput, site: Site): Promise<Made> {
	return createPerson(admin, input, site, "admin");
}

/**
 * An address that a live account has is refused, and that account stays as it is: creating somebody never approves or promotes anybody.
 * The same submission again answers the person it made.
 */
async function createPerson(admin: AdminContext, input: NewPersonInput, site: Site, role: "driver" | "admin"): Promise<Made> {
	const { db, user, now } = admin;
	const { build } = db;
	const id = crypto.randomUUID();
	const changeId = crypto.randomUUID();
	const occasion = { admin, site, personId: id, changeId };
	const action = `${role}.create`;
	const payloadHash = await fingerprintOf([role, input.email, input.firstName, input.lastName]);
	const sameSubmission = sql`created_by = ${user.id} and submission_key = ${input.key ?? null}`;
	const { person, earlier, holder, asker } = await db.batch({
		create: build.run(sql`
			insert into users (id, role, first_name, last_name, email, driver_number, approval_status, is_active, created_at, created_by,
				approved_at, decided_by, invited_at, invite_expires_at, last_change_id, submission_key, payload_hash)
			select ${id}, ${role}, ${input.firstName}, ${input.lastName}, ${input.email}, ${role === "driver" ? nextDriverNumber : null}, 'approved', 1, ${now},
				${user.id}, ${now}, ${user.id}, ${now}, ${now + INVITATION_LENGTH[role]}, ${changeId},
				${input.key ?? null}, ${payloadHash}
			where not exists (select 1 from users where email = ${input.email} and deleted_at is null)
				and not exists (select 1 from users where ${sameSubmission})
				and ${isStillAdmin(admin)}`),
		// The row has no state before this one, so the audit follows it; a repeated batch finds its entry written.
		audit: auditStatement(
			build,
			actorOf(admin),
			{
				action,
				entity: "user",
				after: sql`json_object('role', ${users.role}, 'email', ${users.email}, 'firstName', ${users.firstName}, 'lastName', ${users.lastName}, 'driverNumber', ${users.driverNumber})`,
			},
			users,
			sql`${users.id} = ${id} and not exists (select 1 from audit_events where entity = 'user' and entity_id = ${id} and action = ${action})`,
		),
		invitation: invitationMail(build, occasion),
		...(role === "admin" ? { warning: newAdminMail(build, occasion, nameOf(input), input.email) } : {}),
		person: build.select().from(users).where(eq(users.id, id)),
		earlier: build.select().from(users).where(sameSubmission),
		holder: build
			.select()
			.from(users)
			.where(and(eq(users.email, input.email), isNull(users.deletedAt))),
		asker: build.all<{ isAdmin: number }>(sql`select ${isStillAdmin(admin)} as isAdmin`),
	});
	if (person[0]) return done({ ...person[0], isReplay: false });
	if (earlier[0]) return earlier[0].payloadHash === payloadHash ? done({ ...earlier[0], isReplay: true }) : refused("key-reused");
	if (!asker[0]?.isAdmin) return refused("no-longer-administrator");
	return refused("email-taken", { email: input.email, name: holder[0] ? nameOf(holder[0]) : "another account" });
}

/** Invited, unclaimed, and not yet changed by this attempt. */
const isUnclaimed = (id: string, changeId: string): SQL =>
	sql`${users.id} = ${id} and ${users.invitedAt} is not null and ${users.claimedAt} is null and ${users.deletedAt} is null and ${users.lastChangeId} is not ${changeId}
		and not exists (select 1 from identities where identities.user_id = ${users.id})`;

/** Starts an open invitation's time again and sends it again, also when it had run out. */
export async function renewInvitation(admin: AdminContext, id: string, site: Site): Promise<Changed> {
	const { db, now } = admin;
	const changeId = crypto.randomUUID();
	const isOpen = sql`${isUnclaimed(id, changeId)} and ${users.isActive} = 1`;
	const expiresAt = sql`${now} + iif(${users.role} = 'admin', ${INVITATION_LENGTH.admin}, ${INVITATION_LENGTH.driver})`;
	const isDone = sql`${users.lastChangeId} = ${changeId}`;
	const { after } = await db.batch({
		audit: auditStatement(
			db.build,
			actorOf(admin),
			{
				action: "invitation.renew",
				entity: "user",
				before: sql`json_object('inviteExpiresAt', ${users.inviteExpiresAt})`,
				after: sql`json_object('inviteExpiresAt', cast(${expiresAt} as integer))`,
			},
			users,
			isOpen,
		),
		change: db.build.update(users).set({ invitedAt: now, inviteExpiresAt: expiresAt, lastChangeId: changeId }).where(isOpen),
		unsaid: cancelMail(db.build, "invitation", id, isDone),
		mail: invitationMail(db.build, { admin, site, personId: id, changeId }),
		after: db.build.select().from(users).where(eq(users.id, id)),
	});
	return invited(after[0], changeId);
}

/** Takes an unclaimed invitation back: the row stays for the record, the address is free again, a driver ID is not. */
export async function cancelInvitation(admin: AdminContext, id: string): Promise<Changed> {
	const { db, now } = admin;
	const changeId = crypto.randomUUID();
	const isOpen = isUnclaimed(id, changeId);
	const { after } = await db.batch({
		audit: auditStatement(
			db.build,
			actorOf(admin),
			{ action: "invitation.cancel", entity: "user", before: sql`json_object('email', ${users.email})` },
			users,
			isOpen,
		),
		change: db.build.update(users).set({ deletedAt: now, isActive: false, deactivatedAt: now, lastChangeId: changeId }).where(isOpen),
		unsaid: cancelMail(db.build, "invitation", id, sql`${users.lastChangeId} = ${changeId}`),
		after: db.build.select().from(users).where(eq(users.id, id)),
	});
	return invited(after[0], changeId);
}

function invited(person: UserRow | undefined, changeId: string): Changed {
	if (person?.lastChangeId === changeId) return done(person);
	if (!person || person.deletedAt !== null) return refused("not-found");
	return refused("not-invited", { name: nameOf(person) });
}
