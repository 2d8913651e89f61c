/** What approving and rejecting have in common. A single decision is a bulk of one. */
import { sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../context.ts";
import { transition } from "../../transition.server.ts";
import { displayName } from "../../users/rules.ts";
import { queueDecisionEmails } from "../emails.server.ts";
import type { RequestWithPeople } from "../json.ts";
import { hasIdIn, requestsWithPeople } from "../rows.server.ts";
import { MAX_BULK_SIZE } from "../rules.ts";

/** What became of one request: decided by this call, no longer pending before it, or one's own. */
export type Decision = RequestWithPeople & { readonly result: "decided" | "lost" | "own" };
export type Decisions = {
	readonly decisions: readonly Decision[];
	/** Ids that name no request. */
	readonly unknown: readonly string[];
};

export type DecisionRefusal = Refused<"not-found"> | Refused<"own" | "lost", RequestWithPeople>;

/** A single decision, as other commands answer: done, or why it wasn't this call that decided. */
export function decisionOutcome(
	decision: Decision | undefined,
): Outcome<RequestWithPeople, DecisionRefusal> {
	if (!decision) return refused("not-found");
	return decision.result === "decided" ? done(decision) : refused(decision.result, decision);
}

/**
 * Decides pending requests in one statement; each answers its own result.
 * @param ids at most 500; one id for a single decision
 * @throws RangeError for more
 */
export async function decideRequests(
	admin: AdminContext,
	ids: readonly string[],
	status: "approved" | "rejected",
	adminNotes: string | undefined,
): Promise<Decisions> {
	if (ids.length > MAX_BULK_SIZE) throw new RangeError(`at most ${MAX_BULK_SIZE} requests at once`);
	const { db, user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: fundRequests,
		rows: hasIdIn(ids),
		// Nobody decides their own, whatever role they had when they asked.
		when: sql`status = 'pending' and driver_id <> ${user.id}`,
		set: { status, adminNotes: adminNotes ?? null, decidedAt: now, decidedBy: user.id },
		audit: {
			action: status === "approved" ? "request.approve" : "request.reject",
			entity: "fund-request",
			before: sql`json_object('status', status)`,
			after: sql`json_object('status', ${status}, 'adminNotes', ${adminNotes ?? null})`,
		},
		next: (decided, changeId) => ({
			mail: queueDecisionEmails(
				db.build,
				decided,
				changeId,
				status,
				adminNotes,
				displayName(user),
				now,
			),
		}),
		read: (build) => requestsWithPeople(build, ids),
	});
	const resultOf = ({ id, status }: RequestWithPeople["request"]): Decision["result"] => {
		if (changed.has(id)) return "decided";
		return status === "pending" ? "own" : "lost";
	};
	const decisions = rows.map((row) => ({ ...row, result: resultOf(row.request) }));
	const known = new Set(rows.map(({ request }) => request.id));
	return { decisions, unknown: ids.filter((id) => !known.has(id)) };
}
