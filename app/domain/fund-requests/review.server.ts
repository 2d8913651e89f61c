/**
 * Reads of the review desk: one request with what is needed to decide it, and what was just
 * decided.
 */
import { and, desc, eq, gt, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import { fundRequests } from "../../db/schema.ts";
import { LIMITS } from "../kernel/fleet-settings.ts";
import { UNDO_WINDOW_MS } from "../kernel/time-limits.ts";
import type { RequestReference } from "./opened.ts";
import { selectFlagged } from "./queries.server.ts";

/** How many other requests of the driver are shown. */
const LATEST = 5;
/** How many of one's own latest decisions are listed, and how many are counted. */
const RECENT = 20;
export const MAX_RECENT = 100;
/** How many possible duplicates of a request are listed. */
const DUPLICATES = 5;

/** The id of the referenced request; empty without one. */
export function referencedId(opened: RequestReference | undefined): SQL<string> {
	if (opened?.number !== undefined)
		return sql`(select id from fund_requests where number = ${opened.number})`;
	return sql`${opened?.id ?? ""}`;
}

/** The referenced request, as in the list. */
export function selectReferenced(build: Builder, opened: RequestReference | undefined) {
	return selectFlagged(build).where(sql`${fundRequests.id} = ${referencedId(opened)}`);
}

/** The driver's newest other requests. */
export function selectLatestOfDriver(build: Builder, opened: RequestReference | undefined) {
	const id = referencedId(opened);
	const { driverId, createdAt } = fundRequests;
	return build
		.select({
			id: fundRequests.id,
			number: fundRequests.number,
			type: fundRequests.type,
			status: fundRequests.status,
			amountCents: fundRequests.amountCents,
			approvedAmountCents: fundRequests.approvedAmountCents,
			description: fundRequests.description,
			createdAt,
		})
		.from(fundRequests)
		.where(
			sql`${driverId} = (select driver_id from fund_requests where id = ${id}) and ${fundRequests.id} <> ${id}`,
		)
		.orderBy(desc(createdAt), desc(fundRequests.number))
		.limit(LATEST);
}

/**
 * The setting's maximum: its value when a request was flagged isn't stored, and a flag outlives a
 * change of the setting.
 */
const SAME_REQUEST_MS = 60_000 * LIMITS.sameRequestMinutes[1];

/** The requests that this one may duplicate, or that may duplicate it. */
export function selectDuplicates(build: Builder, opened: RequestReference | undefined) {
	const { driverId, createdAt } = fundRequests;
	return build
		.select({ id: fundRequests.id, number: fundRequests.number })
		.from(fundRequests)
		.innerJoin(sql`fund_requests as this`, sql`this.id = ${referencedId(opened)}`)
		.where(
			sql`${driverId} = this.driver_id and ${fundRequests.id} <> this.id
				and ${createdAt} between this.created_at - ${SAME_REQUEST_MS} and this.created_at + ${SAME_REQUEST_MS}
				and (+${fundRequests.isPossibleDuplicate} = 1 or this.is_possible_duplicate = 1)
				and +${fundRequests.type} = this.type and +${fundRequests.amountCents} = this.amount_cents
				and ${fundRequests.description} = this.description`,
		)
		.orderBy(fundRequests.createdAt)
		.limit(DUPLICATES);
}

/**
 * The latest of what an administrator decided and can still undo; `found` is how many there are, up to
 * one more than are counted.
 */
export const selectRecentlyDecided = (me: Owner, now: number) =>
	decidedSince(me, { since: now - UNDO_WINDOW_MS });

const decidedSince = prepareForOwner((build, me, value: (name: "since") => Placeholder) => {
	const { decidedBy, decidedAt, payoutId } = fundRequests;
	const isRecent = and(eq(decidedBy, me), gt(decidedAt, value("since")), isNull(sql`+${payoutId}`));
	return build
		.select({
			id: fundRequests.id,
			number: fundRequests.number,
			status: fundRequests.status,
			amountCents: fundRequests.amountCents,
			approvedAmountCents: fundRequests.approvedAmountCents,
			decidedAt,
			found: sql<number>`(select count(*) from
				(select 1 from ${fundRequests} where ${isRecent} limit ${MAX_RECENT + 1}))`,
		})
		.from(fundRequests)
		.where(isRecent)
		.orderBy(desc(decidedAt))
		.limit(RECENT);
});
