/** Reads of fund requests. Every query is a statement; every list is one page of a cursor. */
import { and, asc, desc, eq, gt, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { auditEvents, fundRequests, receipts, users } from "../../db/schema.ts";
import type { RequestStatus, RequestType } from "./rules.ts";

const deciders = alias(users, "deciders");
const twins = alias(receipts, "twins");
const twinRequests = alias(fundRequests, "twin_requests");

/** Where a page goes on: after this request. */
export type RequestCursor = { readonly createdAt: number; readonly id: string };
export type Order = "newest" | "oldest";

export type AmountBand = "0-50" | "50-100" | "100+";
/** The administrator's filters; absent means all. `50-100` is above 50 up to 100 (spec §2). */
export type RequestFilters = {
	readonly status?: RequestStatus | undefined;
	readonly type?: RequestType | undefined;
	readonly amount?: AmountBand | undefined;
};

function inBand(band: AmountBand | undefined): SQL | undefined {
	if (band === "0-50") return lte(fundRequests.amountCents, 5000);
	if (band === "50-100") return and(gt(fundRequests.amountCents, 5000), lte(fundRequests.amountCents, 10_000));
	return band && gt(fundRequests.amountCents, 10_000);
}

function matching({ status, type, amount }: RequestFilters): SQL | undefined {
	return and(status && eq(fundRequests.status, status), type && eq(fundRequests.type, type), inBand(amount));
}

function past(after: RequestCursor | undefined, order: Order): SQL | undefined {
	if (!after) return undefined;
	const direction = order === "newest" ? sql`<` : sql`>`;
	return sql`(${fundRequests.createdAt}, ${fundRequests.id}) ${direction} (${after.createdAt}, ${after.id})`;
}

/** A request with its people, and with the receipt's name and kind. */
export type ListedRequest = Awaited<ReturnType<typeof listRequests>>[number];

/**
 * One page of requests.
 * @param driverId whose; absent for the whole fleet
 */
export function listRequests(
	build: Builder,
	driverId: SQL<string> | undefined,
	filters: RequestFilters,
	order: Order,
	limit: number,
	after?: RequestCursor,
) {
	const way = order === "newest" ? desc : asc;
	return build
		.select({
			request: fundRequests,
			driver: { firstName: users.firstName, lastName: users.lastName, driverNumber: users.driverNumber },
			decider: { firstName: deciders.firstName, lastName: deciders.lastName },
			receipt: { fileName: receipts.fileName, mediaType: receipts.mediaType },
			/** Another request carries a receipt with the same bytes: its id and number. */
			twin: sql<
				string | null
			>`(select json_object('id', ${twinRequests.id}, 'number', ${twinRequests.number}) from ${receipts} as ${sql.identifier("twins")}
				join ${fundRequests} as ${sql.identifier("twin_requests")} on ${twinRequests.receiptId} = ${twins.id}
				where ${twins.sha256} = ${receipts.sha256} and ${twins.id} <> ${receipts.id} limit 1)`,
		})
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(deciders, eq(deciders.id, fundRequests.decidedBy))
		.leftJoin(receipts, eq(receipts.id, fundRequests.receiptId))
		.where(and(driverId && eq(fundRequests.driverId, driverId), matching(filters), past(after, order)))
		.orderBy(way(fundRequests.createdAt), way(fundRequests.id))
		.limit(limit);
}

/** One request by its id, of one driver or of anybody, as the list shows it. */
export function oneRequest(build: Builder, driverId: SQL<string> | undefined, id: string) {
	return build
		.select({
			request: fundRequests,
			driver: { firstName: users.firstName, lastName: users.lastName, driverNumber: users.driverNumber },
			decider: { firstName: deciders.firstName, lastName: deciders.lastName },
			receipt: { fileName: receipts.fileName, mediaType: receipts.mediaType },
		})
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(deciders, eq(deciders.id, fundRequests.decidedBy))
		.leftJoin(receipts, eq(receipts.id, fundRequests.receiptId))
		.where(and(eq(fundRequests.id, id), driverId && eq(fundRequests.driverId, driverId)));
}

/** What happened to a request, oldest first; at most 50 events. */
export function timelineOf(build: Builder, requestId: string) {
	return build
		.select({
			at: auditEvents.at,
			action: auditEvents.action,
			after: auditEvents.after,
			firstName: users.firstName,
			lastName: users.lastName,
		})
		.from(auditEvents)
		.leftJoin(users, eq(users.id, auditEvents.actorId))
		.where(and(eq(auditEvents.entity, "fund-request"), eq(auditEvents.entityId, requestId)))
		.orderBy(asc(auditEvents.at), asc(auditEvents.id))
		.limit(50);
}

/** A receipt that somebody may open: its owner's, or any for an administrator. */
export function openableReceipt(build: Builder, me: SQL<string>, id: string) {
	return build
		.select({ receipt: receipts, number: fundRequests.number })
		.from(receipts)
		.leftJoin(fundRequests, eq(fundRequests.receiptId, receipts.id))
		.where(
			and(
				eq(receipts.id, id),
				or(sql`${receipts.ownerId} = ${me}`, sql`exists (select 1 from ${users} where ${users.id} = ${me} and ${users.role} = 'admin')`),
			),
		);
}
