import type { AdminContext } from "../../context.ts";
import { type Decisions, decideRequests } from "./decision.server.ts";

/** Rejects those of the requests that are pending; their drivers read the note. */
export function rejectRequests(
	admin: AdminContext,
	ids: readonly string[],
	adminNotes?: string,
): Promise<Decisions> {
	return decideRequests(admin, ids, "rejected", adminNotes);
}
