/** The acting person as the audit writes him down. */
import type { Actor } from "../context.ts";
import type { AuditActor } from "./commands.server.ts";

export function actorOf({ user, role, sessionRef, requestId, now }: Actor): AuditActor {
	return { id: user.id, role, sessionRef, requestId, now };
}
