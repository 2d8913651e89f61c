import { sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { isPseudonymized } from "../../people/pseudonymized.server.ts";
import { displayName } from "../../people/rules.ts";
import { cancelDecisionEmails, reopenedMail } from "../emails.server.ts";
import type { RequestWithPeople } from "../json.ts";
import { hasIdIn, requestsWithPeople } from "../rows.server.ts";
import { isDecidedSince, isSeen, undoDecision } from "./undo.server.ts";

export type ReopenRefusal =
	| Refused<"not-found">
	| Refused<"own", RequestWithPeople>
	| Refused<"in-payout", RequestWithPeople>
	| Refused<"pseudonymized", RequestWithPeople>
	| Refused<"decided-since">
	| Refused<"not-decided", RequestWithPeople>;

/** The pending request, and whether its decision was undone without telling its driver. */
export type ReopenedRequest = RequestWithPeople & { readonly isUndone: boolean };

/**
 * Reopens a decided request at any time, whoever decided it: it is pending again, and its driver is
 * told. Within ten minutes its own decider undoes it silently instead, unless there is a note.
 * @param adminNotes for the driver
 * @param seen when the decision that the form was shown for was made: a later one stays
 */
export async function reopenRequest(
	admin: AdminContext,
	id: string,
	adminNotes?: string,
	seen?: number,
): Promise<Outcome<ReopenedRequest, ReopenRefusal>> {
	if (adminNotes === undefined) {
		const undone = await undoDecision(admin, id, seen);
		if (undone.ok) return done({ ...undone.value, isUndone: true });
	}
	const { db, user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: fundRequests,
		rows: hasIdIn([id]),
		// Nobody reopens their own, whatever role they had when they asked.
		when: sql`status in ('approved', 'rejected') and driver_id <> ${user.id} and ${isSeen(seen)}
			and payout_id is null and not ${isPseudonymized(fundRequests.driverId)}`,
		set: {
			status: "pending",
			adminNotes: null,
			decidedAt: null,
			decidedBy: null,
			approvedAmountCents: null,
		},
		audit: {
			action: "request.reopen",
			entity: "fund-request",
			before: sql`json_object('status', status, 'approvedAmountCents', approved_amount_cents,
				'adminNotes', admin_notes)`,
			after: sql`json_object('status', 'pending', 'approvedAmountCents', null,
				'adminNotes', ${adminNotes ?? null})`,
		},
		next: (reopened, changeId) => ({
			cancelled: cancelDecisionEmails(db.build, reopened),
			mail: reopenedMail(db.build, reopened, changeId, adminNotes, displayName(user), now),
		}),
		read: (build) => requestsWithPeople(build, [id]),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	if (changed.has(id)) return done({ ...row, isUndone: false });
	if (row.payout) return refused("in-payout", row);
	if (row.request.driverId === user.id) return refused("own", row);
	if (isDecidedSince(row, seen)) return refused("decided-since");
	const isDecided = row.request.status === "approved" || row.request.status === "rejected";
	return refused(isDecided ? "pseudonymized" : "not-decided", row);
}
