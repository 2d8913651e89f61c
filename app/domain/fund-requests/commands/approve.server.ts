import type { AdminContext } from "../../kernel/context.ts";
import { type Decisions, decideRequests } from "./decision.server.ts";

/**
 * Approves the pending ones among the requests; their drivers see the note.
 * @param approvedCents less than requested, with the reason in the note; absent for approval in
 * full
 */
export function approveRequests(
	admin: AdminContext,
	ids: readonly string[],
	adminNotes?: string,
	approvedCents?: number,
): Promise<Decisions> {
	return decideRequests(admin, ids, "approved", adminNotes, approvedCents);
}
