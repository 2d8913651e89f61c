import { sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { UNDO_WINDOW_MS } from "../../kernel/time-limits.ts";
import { transition } from "../../kernel/transition.server.ts";
import { isPseudonymized } from "../../people/pseudonymized.server.ts";
import { cancelDecisionEmails, isDecisionTold } from "../emails.server.ts";
import type { RequestWithPeople } from "../json.ts";
import { hasIdIn, requestsWithPeople } from "../rows.server.ts";
import { MAX_BULK_SIZE } from "../rules.ts";

export type UndoRefusal =
	| Refused<"not-found">
	| Refused<"not-to-undo">
	/** It was taken back and made anew since the form was shown. */
	| Refused<"decided-since">
	| Refused<"in-payout", RequestWithPeople>;

/** The result for one request: whether this call undid its decision. */
export type UndoResult = RequestWithPeople & { readonly isUndone: boolean };

/**
 * Undoes one's own decisions within ten minutes: the requests are pending again, and their emails
 * aren't sent. Requests decided by someone else, or earlier, stay as they are, and so does one whose
 * email was sent while the undo was on its way.
 * @param ids at most 500
 * @param seen when the latest of the decisions that the form was shown for was made: a later one stays
 * @throws RangeError for more
 */
export async function undoDecisions(
	admin: AdminContext,
	ids: readonly string[],
	seen?: number,
): Promise<readonly UndoResult[]> {
	if (ids.length > MAX_BULK_SIZE) throw new RangeError(`at most ${MAX_BULK_SIZE} requests at once`);
	const { user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: fundRequests,
		rows: hasIdIn(ids),
		when: sql`status in ('approved', 'rejected') and decided_by = ${user.id}
			and decided_at > ${now - UNDO_WINDOW_MS} and ${isSeen(seen)} and payout_id is null
			and not ${isDecisionTold} and not ${isPseudonymized(fundRequests.driverId)}`,
		set: {
			status: "pending",
			adminNotes: null,
			decidedAt: null,
			decidedBy: null,
			approvedAmountCents: null,
		},
		audit: {
			action: "request.undo",
			entity: "fund-request",
			before: sql`json_object('status', status, 'approvedAmountCents', approved_amount_cents)`,
			after: sql`json_object('status', 'pending', 'approvedAmountCents', null)`,
		},
		next: (undone) => ({ mail: cancelDecisionEmails(admin.db.build, undone) }),
		read: (build) => requestsWithPeople(build, ids),
	});
	return rows.map((row) => ({ ...row, isUndone: changed.has(row.request.id) }));
}

/** Whether the decision is one that a form was shown for. */
export const isSeen = (seen: number | undefined) =>
	seen === undefined ? sql`1` : sql`decided_at <= ${seen}`;

/** Whether another decision was made since a form was shown. */
export const isDecidedSince = ({ request }: RequestWithPeople, seen: number | undefined): boolean =>
	seen !== undefined && request.decidedAt !== null && request.decidedAt > seen;

/** Undoes one's own decision on one request. */
export async function undoDecision(
	admin: AdminContext,
	id: string,
	seen?: number,
): Promise<Outcome<RequestWithPeople, UndoRefusal>> {
	const [row] = await undoDecisions(admin, [id], seen);
	if (!row) return refused("not-found");
	if (row.isUndone) return done(row);
	if (row.payout) return refused("in-payout", row);
	return refused(isDecidedSince(row, seen) ? "decided-since" : "not-to-undo");
}
