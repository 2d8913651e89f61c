/** Deciding fund requests. A single is a bulk of one; what was decided in between is told, with who decided it and when. */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { fundRequests, mails, users } from "../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { AdminContext } from "../context.ts";
import { nameOf } from "../users/rules.ts";
import { isStillAdmin } from "../users/standing.server.ts";
import type { ProcessRequest } from "./input.ts";
import type { RequestWithPeople } from "./json.ts";
import { decisionMails } from "./letters.server.ts";
import { DECIDER, DRIVER, deciders } from "./people.server.ts";
import { MOST_AT_ONCE, UNDO_WINDOW_MS } from "./rules.ts";

/** What became of one request of a bulk: decided by this call, no longer pending before it, one's own; or the caller's role ended meanwhile. */
export type Decision = RequestWithPeople & { readonly result: "decided" | "lost" | "own" | "no-longer-admin" };
export type Decisions = {
	readonly decisions: readonly Decision[];
	/** Ids that name no request. */
	readonly unknown: readonly string[];
};

function requestsNamed({ db }: AdminContext, ids: readonly string[]) {
	return db.build
		.select({
			request: fundRequests,
			driver: DRIVER,
			decider: DECIDER,
		})
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(deciders, eq(deciders.id, fundRequests.decidedBy))
		.where(isOneOf(ids));
}

const isOneOf = (ids: readonly string[]) => sql`${fundRequests.id} in (select value from json_each(${JSON.stringify(ids)}))`;

/**
 * Approves or rejects pending requests in one statement; each answers its own result.
 * @param ids at most 500; one id for a single decision
 * @throws RangeError for more
 */
export async function processRequests(
	admin: AdminContext,
	ids: readonly string[],
	{ status, adminNotes }: ProcessRequest,
): Promise<Decisions> {
	if (ids.length > MOST_AT_ONCE) throw new RangeError(`at most ${MOST_AT_ONCE} requests at once`);
	const { db, user, now } = admin;
	const changeId = crypto.randomUUID();
	const condition = and(
		isOneOf(ids),
		eq(fundRequests.status, "pending"),
		// Nobody decides his own, whatever role he had when he asked.
		sql`${fundRequests.driverId} <> ${user.id}`,
		isStillAdmin(admin),
	) as SQL;
	const { rows } = await db.batch({
		audit: auditStatement(
			db.build,
			actorOf(admin),
			{
				action: status === "approved" ? "request.approve" : "request.reject",
				entity: "fund-request",
				before: sql`json_object('status', status)`,
				after: sql`json_object('status', ${status}, 'adminNotes', ${adminNotes ?? null})`,
			},
			fundRequests,
			condition,
		),
		change: db.build
			.update(fundRequests)
			.set({ status, adminNotes: adminNotes ?? null, decidedAt: now, decidedBy: user.id, lastChangeId: changeId })
			.where(condition),
		mail: decisionMails(
			db.build,
			and(isOneOf(ids), eq(fundRequests.lastChangeId, changeId)) as SQL,
			changeId,
			status,
			adminNotes,
			nameOf(user),
			now,
		),
		rows: requestsNamed(admin, ids),
	});
	const decisions = rows.map((row): Decision => ({ ...row, result: resultOf(row.request, changeId, user.id) }));
	const known = new Set(rows.map(({ request }) => request.id));
	return { decisions, unknown: ids.filter((id) => !known.has(id)) };
}

function resultOf(request: RequestWithPeople["request"], changeId: string, adminId: string): Decision["result"] {
	if (request.lastChangeId === changeId) return "decided";
	if (request.status !== "pending") return "lost";
	return request.driverId === adminId ? "own" : "no-longer-admin";
}

/** Takes back one's own decision within ten minutes: the request is pending again, and its mail is never sent. */
export async function undoDecision(
	admin: AdminContext,
	id: string,
): Promise<Outcome<RequestWithPeople, Refused<"not-found"> | Refused<"not-to-undo">>> {
	const { db, user, now } = admin;
	const changeId = crypto.randomUUID();
	const condition = and(
		eq(fundRequests.id, id),
		inArray(fundRequests.status, ["approved", "rejected"]),
		eq(fundRequests.decidedBy, user.id),
		sql`${fundRequests.decidedAt} > ${now - UNDO_WINDOW_MS}`,
		isStillAdmin(admin),
	) as SQL;
	const { rows } = await db.batch({
		audit: auditStatement(
			db.build,
			actorOf(admin),
			{
				action: "request.undo",
				entity: "fund-request",
				before: sql`json_object('status', status)`,
				after: sql`json_object('status', 'pending')`,
			},
			fundRequests,
			condition,
		),
		mail: db.build
			.update(mails)
			.set({ status: "cancelled" })
			.where(
				and(
					eq(mails.aboutId, id),
					eq(mails.kind, "request-decided"),
					eq(mails.status, "queued"),
					sql`exists (select 1 from ${fundRequests} where ${condition})`,
				),
			),
		change: db.build
			.update(fundRequests)
			.set({ status: "pending", adminNotes: null, decidedAt: null, decidedBy: null, lastChangeId: changeId })
			.where(condition),
		rows: requestsNamed(admin, [id]),
	});
	const row = rows[0];
	if (!row) return refused("not-found");
	return row.request.lastChangeId === changeId ? done(row) : refused("not-to-undo");
}
