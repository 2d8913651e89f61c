/** Audits sign-ins and sign-outs, in the batch that makes them. */
import { sql } from "drizzle-orm";
import type { Builder } from "../db/client.server.ts";
import { roleIn } from "../domain/kernel/shown-in-sql.server.ts";
import { sessionRefOf } from "../domain/people/sessions.server.ts";
import { signOutStatement } from "./session.server.ts";

/**
 * Records that a session has started, if it has; goes after `start` in the same batch. Repeating
 * the batch records it only once.
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
		select ${now}, users.id, ${roleIn("users")}, ${sessionRefOf(tokenHash)}, ${requestId}, 'session.start', 'user', users.id, json_object('issuer', ${issuer})
		from sessions join users on users.id = sessions.user_id
		where sessions.token_hash = ${tokenHash} and not exists (
			select 1 from audit_events told where told.actor_id = users.id and told.at = ${now}
				and told.action = 'session.start' and told.session_ref = ${sessionRefOf(tokenHash)})`);
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
			select ${now}, users.id, ${roleIn("users")}, ${sessionRefOf(tokenHash)}, ${requestId}, 'session.end', 'user', users.id
			from sessions join users on users.id = sessions.user_id
			where sessions.token_hash = ${tokenHash} and sessions.ended_at is null and sessions.expires_at > ${now}`),
		end: signOutStatement(build, tokenHash, now),
	};
}
