import { sql } from "drizzle-orm";
import type { AdminContext } from "./context.ts";
import { FRESH_SIGN_IN_MS } from "./time-limits.ts";

/**
 * Whether the session is recent and they proved who they are for it, so that nobody grants access
 * from an unattended screen. A token isn't a session.
 */
export const isFreshSession = ({ user, sessionRef, now }: AdminContext) =>
	sql<number>`exists (select 1 from sessions where user_id = ${user.id}
		and substr(token_hash, 1, length(${sessionRef})) = ${sessionRef}
		and min(created_at, coalesce(authenticated_at, created_at)) > ${now - FRESH_SIGN_IN_MS})`;
