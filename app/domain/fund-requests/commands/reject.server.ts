import type { AdminContext } from "../../kernel/context.ts";
import { type Decisions, decideRequests } from "./decision.server.ts";

/** Rejects the pending ones among the requests; their drivers see the note. */
export function rejectRequests(
	admin: AdminContext,
	ids: readonly string[],
	adminNotes?: string,
): Promise<Decisions> {
	return decideRequests(admin, ids, "rejected", adminNotes);
}
