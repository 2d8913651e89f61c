import type { AdminContext } from "../../context.ts";
import { type Decisions, decideRequests } from "./decision.server.ts";

/** Approves those of the requests that are pending; their drivers read the note. */
export function approveRequests(
	admin: AdminContext,
	ids: readonly string[],
	adminNotes?: string,
): Promise<Decisions> {
	return decideRequests(admin, ids, "approved", adminNotes);
}
