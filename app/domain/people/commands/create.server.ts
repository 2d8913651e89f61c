import { and, eq, isNull, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, type Outcome, refused } from "../../../values/outcome.ts";
import type { AdminContext, UserRow } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { INVITATION_TTL_MS } from "../../kernel/time-limits.ts";
import type { Site } from "../../mail/queue.server.ts";
import { queueInvitationEmail, queueNewAdminEmail } from "../emails.server.ts";
import type { NewPersonInput } from "../input.ts";
import type { PeopleRefusal } from "../refusals.ts";
import { nextDriverNumber } from "../rows.server.ts";
import { displayName, FRESH_SIGN_IN_MS } from "../rules.ts";

/** The person; `isReplay` when the same submission already created them. */
type CreatedPerson = Outcome<UserRow & { readonly isReplay: boolean }, PeopleRefusal>;

/** Creates an approved driver with a driver ID and invites them. */
export function createDriver(admin: AdminContext, input: NewPersonInput, site: Site) {
	return createPerson(admin, input, site, "driver");
}

/**
 * Creates an administrator with full access and invites them, within 15 minutes of the creator
 * proving at a sign-in of their own who they are; all other administrators are notified.
 */
export function createAdmin(admin: AdminContext, input: NewPersonInput, site: Site) {
	return createPerson(admin, input, site, "admin");
}

/**
 * Requires a recent session, for which they proved who they are, so that nobody creates an
 * administrator from an unattended screen.
 */
const isFreshSession = ({ user, sessionRef, now }: AdminContext) =>
	sql<number>`exists (select 1 from sessions where user_id = ${user.id}
		and substr(token_hash, 1, length(${sessionRef})) = ${sessionRef}
		and min(created_at, coalesce(authenticated_at, created_at)) > ${now - FRESH_SIGN_IN_MS})`;

/**
 * Refuses an email that a live account has, and leaves that account alone: creating someone never
 * approves or promotes anyone.
 */
async function createPerson(
	admin: AdminContext,
	{ email, firstName, lastName, key }: NewPersonInput,
	site: Site,
	role: "driver" | "admin",
): Promise<CreatedPerson> {
	const { db, user, now } = admin;
	const { build } = db;
	const id = crypto.randomUUID();
	const holders = and(eq(users.email, email), isNull(users.deletedAt));
	const created = await createOnce(admin, {
		table: users,
		id,
		creator: users.createdBy,
		key,
		payload: [role, email, firstName, lastName],
		facts: {
			isTaken: sql<number>`exists (select 1 from users
				where email = ${email} and deleted_at is null)`,
			isFresh: role === "admin" ? isFreshSession(admin) : sql<number>`1`,
		},
		accepts: sql`not isTaken and isFresh`,
		values: {
			role,
			firstName,
			lastName,
			email,
			driverNumber: role === "driver" ? nextDriverNumber : undefined,
			approvalStatus: "approved",
			isActive: true,
			createdAt: now,
			createdBy: user.id,
			approvedAt: now,
			decidedBy: user.id,
			invitedAt: now,
			inviteExpiresAt: now + INVITATION_TTL_MS[role],
		},
		audit: {
			action: `${role}.create`,
			entity: "user",
			after: sql`json_object('role', ${users.role}, 'email', ${users.email},
				'firstName', ${users.firstName}, 'lastName', ${users.lastName},
				'driverNumber', ${users.driverNumber})`,
		},
		first: { holder: build.select().from(users).where(holders) },
		next: (person) => {
			const occasion = { admin, site, person, personId: id, changeId: id };
			return {
				invitation: queueInvitationEmail(build, occasion),
				...(role === "admin"
					? {
							notice: queueNewAdminEmail(
								build,
								occasion,
								displayName({ firstName, lastName, email }),
								email,
							),
						}
					: {}),
			};
		},
		read: (build, rows) => build.select().from(users).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind !== "refused")
		return done({ ...created.row, isReplay: created.kind === "replayed" });
	if (!created.facts.isFresh) return refused("sign-in-again");
	const [holder] = created.answers.holder;
	const name = holder ? displayName(holder) : "another account";
	return refused("email-taken", {
		email,
		name,
		...(holder ? { advice: adviceOn(holder), id: holder.id } : {}),
	});
}

/** What to do instead about the person who has the email. */
function adviceOn({ isActive, role, approvalStatus }: UserRow): string {
	if (!isActive) return "Their account is inactive: activate it instead.";
	if (role !== "driver" || approvalStatus === "approved") return "";
	return approvalStatus === "rejected"
		? "Their application was rejected: approve it instead."
		: "Their application is pending: approve it instead.";
}
