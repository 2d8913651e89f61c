/** What approving and rejecting share. A single decision is a bulk of one. */
import { sql } from "drizzle-orm";
import { fundRequests } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { displayName } from "../../people/rules.ts";
import { queueDecisionEmails } from "../emails.server.ts";
import type { RequestWithPeople } from "../json.ts";
import { hasIdIn, requestsWithPeople } from "../rows.server.ts";
import { MAX_BULK_SIZE } from "../rules.ts";

/**
 * The result for one request: decided by this call, not pending, one's own, or with an amount that
 * is too high, or lower without a reason.
 */
export type Decision = RequestWithPeople & {
	readonly result: "decided" | "lost" | "own" | "above-asked" | "unexplained";
};
export type Decisions = {
	readonly decisions: readonly Decision[];
	/** Ids of no request. */
	readonly unknown: readonly string[];
};

export type DecisionRefusal =
	| Refused<"not-found">
	| Refused<Exclude<Decision["result"], "decided">, RequestWithPeople>;

/** A single decision in the form of other commands' results. */
export function decisionOutcome(
	decision: Decision | undefined,
): Outcome<RequestWithPeople, DecisionRefusal> {
	if (!decision) return refused("not-found");
	return decision.result === "decided" ? done(decision) : refused(decision.result, decision);
}

/**
 * Decides pending requests in one statement, with a result for each.
 * @param ids at most 500; one id for a single decision
 * @param approvedCents the approved amount of each; absent for approval in full
 * @throws RangeError for more
 */
export async function decideRequests(
	admin: AdminContext,
	ids: readonly string[],
	status: "approved" | "rejected",
	adminNotes: string | undefined,
	approvedCents?: number,
): Promise<Decisions> {
	if (ids.length > MAX_BULK_SIZE) throw new RangeError(`at most ${MAX_BULK_SIZE} requests at once`);
	const { db, user, now } = admin;
	const isApproval = status === "approved";
	// One statement decides requests with different amounts.
	const granted = isApproval ? sql<number>`coalesce(${approvedCents ?? null}, amount_cents)` : null;
	const isFit = adminNotes
		? sql`coalesce(${approvedCents ?? null}, amount_cents) <= amount_cents`
		: sql`coalesce(${approvedCents ?? null}, amount_cents) = amount_cents`;
	const { changed, rows } = await transition(admin, {
		table: fundRequests,
		rows: hasIdIn(ids),
		// Nobody decides their own, whatever role they had when they asked. The ids should find the
		// rows, not the index of all pending requests.
		when: sql`+status = 'pending' and driver_id <> ${user.id} and ${isFit}`,
		set: {
			status,
			adminNotes: adminNotes ?? null,
			decidedAt: now,
			decidedBy: user.id,
			approvedAmountCents: granted,
		},
		audit: {
			action: isApproval ? "request.approve" : "request.reject",
			entity: "fund-request",
			before: sql`json_object('status', status)`,
			after: isApproval
				? sql`json_object('status', ${status}, 'approvedAmountCents', ${granted},
					'adminNotes', ${adminNotes ?? null})`
				: sql`json_object('status', ${status}, 'adminNotes', ${adminNotes ?? null})`,
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
	const resultOf = (request: RequestWithPeople["request"]): Decision["result"] => {
		if (changed.has(request.id)) return "decided";
		if (request.status !== "pending") return "lost";
		if (request.driverId === user.id) return "own";
		return (approvedCents ?? 0) > request.amountCents ? "above-asked" : "unexplained";
	};
	const decisions = rows.map((row) => ({ ...row, result: resultOf(row.request) }));
	const known = new Set(rows.map(({ request }) => request.id));
	return { decisions, unknown: ids.filter((id) => !known.has(id)) };
}
