import { eq, sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../context.ts";
import { transition } from "../../transition.server.ts";
import type { RequestWithPeople } from "../json.ts";
import { cancelDecisionMail } from "../letters.server.ts";
import { requestsWithPeople } from "../rows.server.ts";
import { UNDO_WINDOW_MS } from "../rules.ts";

type UndoRefusal = Refused<"not-found"> | Refused<"not-to-undo">;

/** Undoes one's own decision within ten minutes: the request is pending again, its email unsent. */
export async function undoDecision(admin: AdminContext, id: string): Promise<Outcome<RequestWithPeople, UndoRefusal>> {
	const { user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: fundRequests,
		rows: eq(fundRequests.id, id),
		when: sql`status in ('approved', 'rejected') and decided_by = ${user.id}
			and decided_at > ${now - UNDO_WINDOW_MS}`,
		set: { status: "pending", adminNotes: null, decidedAt: null, decidedBy: null },
		audit: {
			action: "request.undo",
			entity: "fund-request",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', 'pending')`,
		},
		next: (undone) => ({ mail: cancelDecisionMail(admin.db.build, id, undone) }),
		read: (build) => requestsWithPeople(build, [id]),
	});
	const [row] = rows;
	if (!row) return refused("not-found");
	return changed.has(id) ? done(row) : refused("not-to-undo");
}
