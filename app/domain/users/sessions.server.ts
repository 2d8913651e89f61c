/** Sessions by person: the last one, and ending them all when somebody's standing changes. */
import { and, isNull, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { sessions, users } from "../../db/schema.ts";

/** When somebody last signed in, as far back as sessions are kept, and whether they ever did. */
export function lastSignIn(build: Builder, id: string) {
	return build.all<{ at: number | null; hasIdentity: number }>(sql`
		select (select max(created_at) from sessions where user_id = ${id}) as at,
			exists (select 1 from identities where user_id = ${id}) as hasIdentity`);
}

/**
 * Ends every session of the users a condition names; it belongs in the batch that changes their
 * standing. The rows keep the reason until they would have expired, so that the next visit can say
 * why.
 * @param whose condition on `users`
 */
export function endSessionsStatement(
	build: Builder,
	whose: SQL,
	reason: "deactivated" | "role-changed" | "ended-by-admin",
	now: number,
) {
	const theirs = sql`${sessions.userId} in (select ${users.id} from ${users} where ${whose})`;
	return build
		.update(sessions)
		.set({ endedAt: now, endedReason: reason })
		.where(and(isNull(sessions.endedAt), theirs));
}
