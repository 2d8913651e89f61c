import type { AdminContext } from "../../context.ts";
import type { ProcessRequest } from "../input.ts";
import { approveRequests } from "./approve.server.ts";
import type { Decisions } from "./decision.server.ts";
import { rejectRequests } from "./reject.server.ts";

/** Approves or rejects requests, as the dialog and the API ask for either (docs/product.md §7). */
export function processRequests(
	admin: AdminContext,
	ids: readonly string[],
	{ status, adminNotes }: ProcessRequest,
): Promise<Decisions> {
	const decide = status === "approved" ? approveRequests : rejectRequests;
	return decide(admin, ids, adminNotes);
}
