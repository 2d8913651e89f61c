import type { AdminContext } from "../../context.ts";
import { type Decisions, decideRequests } from "./decision.server.ts";

/**
 * Approves those of the requests that are pending; their drivers read the note.
 * @param approvedCents less than was asked, for which the note gives the reason; absent for all
 */
export function approveRequests(
	admin: AdminContext,
	ids: readonly string[],
	adminNotes?: string,
	approvedCents?: number,
): Promise<Decisions> {
	return decideRequests(admin, ids, "approved", adminNotes, approvedCents);
}
