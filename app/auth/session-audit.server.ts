/**
 * Sessions in the audit: who signed in and who signed out, each written in the batch that does it.
 */
import { sql } from "drizzle-orm";
import type { Builder } from "../db/client.server.ts";
import { endSessionStatement } from "./session.server.ts";

/**
 * The digits of a session's hash that the audit keeps: they tell sessions apart and open nothing.
 */
const refOf = (tokenHash: string) => tokenHash.slice(0, 16);

/**
 * Records that a session has started, if it has; goes after `start`, in its batch. Recorded once,
 * however often the batch is repeated.
 */
export function signedInStatement(
	build: Builder,
	tokenHash: string,
	issuer: string,
	requestId: string,
	now: number,
) {
	return build.run(sql`
		insert into audit_events (at, actor_id, actor_role, session_ref, request_id, action, entity, entity_id, after)
		select ${now}, users.id, users.role, ${refOf(tokenHash)}, ${requestId}, 'session.start', 'user', users.id, json_object('issuer', ${issuer})
		from sessions join users on users.id = sessions.user_id
		where sessions.token_hash = ${tokenHash} and not exists (
			select 1 from audit_events told where told.actor_id = users.id and told.at = ${now}
				and told.action = 'session.start' and told.session_ref = ${refOf(tokenHash)})`);
}

/** Ends a session, and records that if it was still live. */
export function signOutStatements(
	build: Builder,
	tokenHash: string,
	requestId: string,
	now: number,
) {
	return {
		audit: build.run(sql`
			insert into audit_events (at, actor_id, actor_role, session_ref, request_id, action, entity, entity_id)
			select ${now}, users.id, users.role, ${refOf(tokenHash)}, ${requestId}, 'session.end', 'user', users.id
			from sessions join users on users.id = sessions.user_id
			where sessions.token_hash = ${tokenHash} and sessions.ended_at is null and sessions.expires_at > ${now}`),
		end: endSessionStatement(build, tokenHash, "signed-out", now),
	};
}
