import type { AdminContext } from "../../kernel/context.ts";
import type { ProcessRequest } from "../input.ts";
import { approveRequests } from "./approve.server.ts";
import type { Decisions } from "./decision.server.ts";
import { rejectRequests } from "./reject.server.ts";

/** Approves or rejects requests, as the dialog and the API ask for either (docs/product.md §7). */
export function processRequests(
	admin: AdminContext,
	ids: readonly string[],
	{ status, adminNotes, approvedAmount }: ProcessRequest,
): Promise<Decisions> {
	return status === "approved"
		? approveRequests(admin, ids, adminNotes, approvedAmount)
		: rejectRequests(admin, ids, adminNotes);
}
