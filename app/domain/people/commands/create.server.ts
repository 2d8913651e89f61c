import { and, eq, isNull, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, type Outcome, refused } from "../../../values/outcome.ts";
import type { AdminContext, UserRow } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { isFreshSession } from "../../kernel/fresh-session.server.ts";
import { roleIn } from "../../kernel/shown-in-sql.server.ts";
import { INVITATION_TTL_MS } from "../../kernel/time-limits.ts";
import type { Site } from "../../mail/queue.server.ts";
import { queueInvitationEmail, queueNewAdminEmail } from "../emails.server.ts";
import type { NewPersonInput } from "../input.ts";
import type { PeopleRefusal } from "../refusals.ts";
import { nextDriverNumber } from "../rows.server.ts";
import { displayName } from "../rules.ts";

/** How each role is stored. */
const STORED = {
	driver: { role: "driver" },
	admin: { role: "admin" },
	viewer: { role: "none", isViewer: true },
} as const;

/** The person; `isReplay` when the same submission already created them. */
type CreatedPerson = Outcome<UserRow & { readonly isReplay: boolean }, PeopleRefusal>;

/** Creates an approved driver with a driver ID and invites them. */
export function createDriver(admin: AdminContext, input: NewPersonInput, site: Site) {
	return createPerson(admin, input, site, "driver");
}

/**
 * Creates an administrator with full access and invites them, within 15 minutes of the creator
 * proving their identity at a sign-in; all other administrators are notified.
 */
export function createAdmin(admin: AdminContext, input: NewPersonInput, site: Site) {
	return createPerson(admin, input, site, "admin");
}

/** Creates an accountant, who reads everything and changes nothing, as `createAdmin` does. */
export function createViewer(admin: AdminContext, input: NewPersonInput, site: Site) {
	return createPerson(admin, input, site, "viewer");
}

/**
 * Refuses an email that a live account has, and leaves that account alone: creating someone never
 * approves or promotes anyone.
 */
async function createPerson(
	admin: AdminContext,
	{ email, firstName, lastName, key }: NewPersonInput,
	site: Site,
	role: "driver" | "admin" | "viewer",
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
			isFresh: role === "driver" ? sql<number>`1` : isFreshSession(admin),
		},
		accepts: sql`not isTaken and isFresh`,
		values: {
			...STORED[role],
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
			after: sql`json_object('role', ${roleIn("users")}, 'email', ${users.email},
				'firstName', ${users.firstName}, 'lastName', ${users.lastName},
				'driverNumber', ${users.driverNumber})`,
		},
		first: { holder: build.select().from(users).where(holders) },
		next: (person) => {
			const occasion = { admin, site, person, personId: id, changeId: id };
			return {
				invitation: queueInvitationEmail(build, occasion),
				...(role === "driver"
					? {}
					: {
							notice: queueNewAdminEmail(
								build,
								occasion,
								displayName({ firstName, lastName, email }),
								email,
								role,
							),
						}),
			};
		},
		read: (build, rows) => build.select().from(users).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind !== "refused")
		return done({ ...created.row, isReplay: created.kind === "replayed" });
	if (role !== "driver" && !created.facts.isFresh) return refused("sign-in-again", { role });
	const [holder] = created.answers.holder;
	const name = holder ? displayName(holder) : "another account";
	return refused("email-taken", {
		email,
		name,
		...(holder ? { advice: adviceOn(holder), id: holder.id } : {}),
	});
}

/** What to do instead about the person who has the email. */
function adviceOn({ isActive, role, approvalStatus, firstName, lastName }: UserRow): string {
	if (!isActive) return "Their account is inactive: activate it instead.";
	if (role !== "driver" || approvalStatus === "approved") return "";
	if (firstName === "" || lastName === "")
		return "They haven't completed their profile yet: approve their application once they have.";
	return approvalStatus === "rejected"
		? "Their application was rejected: approve it instead."
		: "Their application is pending: approve it instead.";
}
