/** What a 503 says; loaded when it is needed, not when the Worker starts. */
import { UNAVAILABLE } from "../messages.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Says that nothing was changed only if the request has written nothing so far, and is known to have
 * written nothing. Every form that creates something has a key.
 */
export function unavailableWords({ method, rule, db }: RequestContext): string {
	const hasWritten = db.cost.written > 0;
	if (method === "GET" || method === "HEAD" || !(hasWritten || db.isInDoubt)) return UNAVAILABLE;
	const what = hasWritten ? "Part of this" : "This";
	const again = rule.kind === "api" ? "again with the same Idempotency-Key" : "again";
	return `Milepost can't reach its database right now. ${what} may have been saved. Sending it ${again} won't save it twice.`;
}
