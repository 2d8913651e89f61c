/** People's sessions: listing them, the last sign-in, and ending them when a standing changes. */
import { and, desc, isNull, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { apiTokens, sessions, users } from "../../db/schema.ts";

/**
 * When someone last signed in, as far back as sessions are kept, whether they ever did, and when
 * their application was last decided.
 */
export function lastSignIn(build: Builder, id: string) {
	return build.all<{ at: number | null; hasIdentity: number; decidedAt: number | null }>(sql`
		select (select max(at) from audit_events where entity = 'user' and entity_id = ${id}
				and action in ('driver.reject', 'driver.approve')) as decidedAt,
			(select max(created_at) from sessions where user_id = ${id}) as at,
			exists (select 1 from identities where user_id = ${id}) as hasIdentity`);
}

/**
 * Ends every session of the users that a condition matches; it belongs in the batch that changes
 * their standing. The rows keep the reason until they would have expired, so that the next visit
 * can say why.
 * @param whose condition on `users`
 * @param which condition on `sessions`; all of theirs by default
 */
export function endSessionsStatement(
	build: Builder,
	whose: SQL,
	reason: "deactivated" | "role-changed" | "ended-by-admin" | "signed-out",
	now: number,
	which: SQL = sql`1`,
) {
	const theirs = sql`${sessions.userId} in (select ${users.id} from ${users} where ${whose})`;
	return build
		.update(sessions)
		.set({ endedAt: now, endedReason: reason })
		.where(and(isNull(sessions.endedAt), theirs, which));
}

/**
 * Revokes the tokens of the users that a condition matches, in the batch that ends their access:
 * they stay revoked when it comes back.
 * @param whose condition on `users`
 * @param by who ends it; null at the command line
 */
export function revokeTokensStatement(build: Builder, whose: SQL, by: string | null, now: number) {
	const theirs = sql`${apiTokens.ownerId} in (select ${users.id} from ${users} where ${whose})`;
	return build
		.update(apiTokens)
		.set({ revokedAt: now, revokedBy: by })
		.where(and(isNull(apiTokens.revokedAt), theirs));
}

/**
 * How many digits of a session's hash identify it: enough to tell sessions apart, too few to use
 * one.
 */
const REF_DIGITS = 16;

/** The part of a session's hash that the audit keeps. */
export const sessionRefOf = (tokenHash: string) => tokenHash.slice(0, REF_DIGITS);

/** A session's reference, as in the audit. */
export const sessionRef = sql<string>`substr(${sessions.tokenHash}, 1, ${sql.raw(String(REF_DIGITS))})`;

/** A person's open sessions, latest seen first. */
export function selectOpenSessions(build: Builder, userId: SQL<string>, now: number) {
	return build
		.select({
			ref: sessionRef.as("ref"),
			device: sessions.device,
			startedAt: sessions.createdAt,
			lastSeenAt: sessions.lastSeenAt,
		})
		.from(sessions)
		.where(and(sql`${sessions.userId} = ${userId}`, isOpenAt(now)))
		.orderBy(desc(sessions.lastSeenAt), sessions.tokenHash);
}

/** Whether a session is open. */
export const isOpenAt = (now: number): SQL =>
	sql`${sessions.endedAt} is null and ${sessions.expiresAt} > ${now}`;
