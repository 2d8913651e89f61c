/** Reads of the review desk: one request with what helps to decide it, and what was just decided. */
import { and, desc, eq, gt, isNull, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { preparedOf } from "../../db/prepared.server.ts";
import { fundRequests, settings } from "../../db/schema.ts";
import { DEFAULT_SETTINGS } from "../settings/definitions.ts";
import { FLEET_SETTINGS } from "../settings/queries.server.ts";
import type { Opened } from "./opened.ts";
import { listed } from "./queries.server.ts";
import { UNDO_WINDOW_MS } from "./rules.ts";

/** Other requests of its driver that the desk shows. */
const LATEST = 5;
/** Decisions of one's own that the desk offers to undo. */
const RECENT = 20;
/** Possible duplicates of one request that the desk names. */
const DUPLICATES = 5;

/** The opened request's id; of nothing, none. */
export function idOfOpened(opened: Opened | undefined): SQL<string> {
	if (opened?.number !== undefined)
		return sql`(select id from fund_requests where number = ${opened.number})`;
	return sql`${opened?.id ?? ""}`;
}

/** The opened request, as the list shows it. */
export function selectOpened(build: Builder, opened: Opened | undefined) {
	return listed(build).where(sql`${fundRequests.id} = ${idOfOpened(opened)}`);
}

/** The newest other requests of the opened one's driver. */
export function selectLatestOfDriver(build: Builder, opened: Opened | undefined) {
	const id = idOfOpened(opened);
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
		.orderBy(desc(createdAt), desc(fundRequests.id))
		.limit(LATEST);
}

/** The setting in force: the statement is made before it is known. */
const SAME_REQUEST_MS = sql`(select 60000 * coalesce(max(chosen ->> 'sameRequestMinutes'), ${DEFAULT_SETTINGS.sameRequestMinutes}) from ${settings} where id = ${FLEET_SETTINGS})`;

/** The requests that make the opened one a possible duplicate, or that it makes one. */
export function selectDuplicates(build: Builder, opened: Opened | undefined) {
	const { driverId, createdAt } = fundRequests;
	return build
		.select({ id: fundRequests.id, number: fundRequests.number })
		.from(fundRequests)
		.innerJoin(sql`fund_requests as this`, sql`this.id = ${idOfOpened(opened)}`)
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

/** What an administrator decided and can still undo, the latest first. */
export const selectRecentlyDecided = (me: Owner, now: number) =>
	decidedSince(me, { since: now - UNDO_WINDOW_MS });

const decidedSince = preparedOf((build, me, value: (name: "since") => Placeholder) => {
	const { decidedBy, decidedAt, payoutId } = fundRequests;
	return build
		.select({
			id: fundRequests.id,
			number: fundRequests.number,
			status: fundRequests.status,
			amountCents: fundRequests.amountCents,
			approvedAmountCents: fundRequests.approvedAmountCents,
			decidedAt,
		})
		.from(fundRequests)
		.where(and(eq(decidedBy, me), gt(decidedAt, value("since")), isNull(sql`+${payoutId}`)))
		.orderBy(desc(decidedAt))
		.limit(RECENT);
});
