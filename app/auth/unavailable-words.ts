/** What a 503 says; loaded when it is needed, not when the Worker starts. */
import { UNAVAILABLE } from "../messages.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Says that nothing was changed only if the request has written nothing so far. Every form that
 * creates something has a key.
 */
export function unavailableWords({ method, rule, db }: RequestContext): string {
	if (method === "GET" || method === "HEAD" || db.cost.written === 0) return UNAVAILABLE;
	const again = rule.kind === "api" ? "again with the same Idempotency-Key" : "again";
	return `Milepost can't reach its database right now. Part of this may have been saved. Sending it ${again} won't save it twice.`;
}
