/** The open sessions, for a fleet's operator at a terminal. */
import { and, desc, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { sessions, users } from "../../db/schema.ts";
import { done, refused } from "../../values/outcome.ts";
import type { OperatorContext } from "../kernel/context.ts";
import { roleIn } from "../kernel/shown-in-sql.server.ts";
import type { ShownRole } from "../kernel/standing.ts";

/** The most sessions listed. */
export const MAX_LISTED = 500;

/** The live account with an email that an administrator entered or an issuer verified. */
export const hasEmail = (email: string): SQL =>
	sql`${users.email} = ${email} and ${users.deletedAt} is null`;

/** The live account of a session, by the reference that `liveSessions` lists. */
export const holdsSession = (ref: string): SQL =>
	sql`${users.id} in (select sessions.user_id from sessions
		where sessions.token_hash >= ${ref} and sessions.token_hash < ${`${ref}g`})
		and ${users.deletedAt} is null`;

/** The open sessions, latest seen first: one email's, or everyone's. */
export async function liveSessions({ db, now }: OperatorContext, email?: string) {
	const { rows, holder } = await db.batch({
		rows: db.build
			.select({
				firstName: users.firstName,
				lastName: users.lastName,
				email: sql<string | null>`coalesce(${users.email}, ${users.unverifiedEmail})`.as("address"),
				role: sql<ShownRole>`${roleIn("users")}`.as("shown_role"),
				startedAt: sessions.createdAt,
				lastSeenAt: sessions.lastSeenAt,
				/**
				 * First digits of the token's hash, as in the audit: enough to tell sessions apart, not to
				 * use one.
				 */
				ref: sql<string>`substr(${sessions.tokenHash}, 1, 16)`.as("ref"),
			})
			.from(sessions)
			.innerJoin(users, eq(users.id, sessions.userId))
			.where(
				and(
					isNull(sessions.endedAt),
					gt(sessions.expiresAt, now),
					eq(users.isActive, true),
					email === undefined ? undefined : hasEmail(email),
				),
			)
			.orderBy(desc(sessions.lastSeenAt), sessions.tokenHash)
			.limit(MAX_LISTED),
		holder: db.build
			.select({ id: users.id })
			.from(users)
			.where(email === undefined ? sql`0` : hasEmail(email)),
	});
	return email !== undefined && !holder[0] ? refused("not-found") : done(rows);
}
