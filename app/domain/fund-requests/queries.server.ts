/** Reads of fund requests. Every query is a statement; every list is one page of a cursor. */
import { and, desc, eq, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { keyset } from "../../db/keyset.ts";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import {
	agreements,
	auditEvents,
	fundRequests,
	payouts,
	receipts,
	users,
} from "../../db/schema.ts";
import type { Position } from "../../values/cursor.ts";
import type { ListSource } from "../kernel/list.server.ts";
import { isOfOfficeIn } from "../kernel/shown-in-sql.server.ts";
import { REQUEST_CHANGES } from "./changes.server.ts";
import { deciders } from "./people.server.ts";
import { placeOf, REQUEST_COLUMNS, ROW_COLUMNS } from "./rows.server.ts";
import { type RequestCursor, requestCursors } from "./search.ts";

const duplicates = alias(receipts, "twins");
const duplicateRequests = alias(fundRequests, "twin_requests");

/** Another request. */
export type DuplicateReceipt = { readonly id: string; readonly number: number };

/** A request with its people, and its receipt's name and type. */
export type ListedRequest = Awaited<ReturnType<typeof selectListed>>[number];
/** Also with what is unusual about it. */
export type FlaggedRequest = Awaited<ReturnType<typeof selectFlagged>>[number];

/**
 * One page of requests, newest first.
 * @param driverId whose; absent for the whole fleet
 */
export function listRequests(
	build: Builder,
	driverId: Owner | undefined,
	limit: number,
	position?: Position<RequestCursor>,
) {
	return driverId === undefined || position
		? requestsOf(build, driverId, limit, position)
		: latestRequestsOf(driverId, { limit });
}

/** The API's list. */
export const REQUEST_LIST: ListSource<ListedRequest, RequestCursor> = {
	cursors: requestCursors,
	cursorOf: ({ request }) => request,
	idOf: ({ request }) => request.id,
	rows: (build, whose, limit, cursor) =>
		listRequests(build, whose, limit, cursor && { way: "after", cursor }),
	changes: {
		source: REQUEST_CHANGES,
		rows: (build, ids) => selectListed(build).where(sql`${fundRequests.id} in ${ids}`),
	},
};

const latestRequestsOf = prepareForOwner((build, driverId, value: (name: "limit") => Placeholder) =>
	requestsOf(build, driverId, value("limit")),
);

function requestsOf(
	build: Builder,
	driverId: SQL<string> | string | undefined,
	limit: number | Placeholder,
	position?: Position<RequestCursor>,
) {
	const { createdAt, number } = fundRequests;
	const place = position && { way: position.way, values: placeOf(position.cursor) };
	const page = keyset([createdAt, number], "desc", place);
	return selectListed(build)
		.where(and(driverId === undefined ? undefined : eq(fundRequests.driverId, driverId), page.past))
		.orderBy(page.order)
		.limit(limit);
}

/** The requests with these ids or numbers, newest first. */
export function findRequests(
	build: Builder,
	by: "id" | "number",
	names: readonly (string | number)[],
) {
	return selectFlagged(build)
		.where(sql`${fundRequests[by]} in (select value from json_each(${JSON.stringify(names)}))`)
		.orderBy(desc(fundRequests.createdAt), desc(fundRequests.number));
}

/** The first other request whose receipt has the same bytes, unless it was withdrawn. */
const TWIN =
	sql<DuplicateReceipt | null>`(select json_object('id', ${duplicateRequests.id}, 'number', min(${duplicateRequests.number}))
	from ${receipts} as ${sql.identifier("twins")} join ${fundRequests} as ${sql.identifier("twin_requests")} on ${duplicateRequests.receiptId} = ${duplicates.id}
	where ${duplicates.sha256} = ${receipts.sha256} and ${duplicates.id} <> ${receipts.id} and ${duplicateRequests.status} <> 'withdrawn'
	group by ${duplicates.sha256})`.mapWith(JSON.parse);

/**
 * Whether a pending request is for fuel that its driver's agreement pays with the miles, all of
 * them or those beyond its threshold: the agreement in force when the money was spent, or else
 * requested. Otherwise false.
 */
const IS_PAID_BY_MILE =
	sql`coalesce(iif(${fundRequests.status} = 'pending' and ${fundRequests.type} = 'gas',
	(select ${agreements.perMileMills} > 0 or coalesce(${agreements.thereafterMills}, 0) > 0 from ${agreements}
		where ${agreements.driverId} = ${fundRequests.driverId}
			and ${agreements.startsOn} <= coalesce(${fundRequests.spentOn}, ${fundRequests.requestedOn})
		order by ${agreements.startsOn} desc, ${agreements.number} desc limit 1), 0), 0)`
		.mapWith(Boolean)
		.as("is_paid_by_mile");

/** Requests as rows of the administrators' list. */
export function selectRows(build: Builder) {
	return build
		.select({ ...ROW_COLUMNS, twin: TWIN, isPaidByMile: IS_PAID_BY_MILE })
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(payouts, eq(payouts.id, fundRequests.payoutId))
		.leftJoin(receipts, eq(receipts.id, fundRequests.receiptId));
}

/** A request as a row of the administrators' list. */
export type RequestRow = Awaited<ReturnType<typeof selectRows>>[number];

const LISTED = {
	...REQUEST_COLUMNS,
	receipt: { fileName: receipts.fileName, mediaType: receipts.mediaType },
};

/** Requests with their people and receipts. */
export const selectListed = (build: Builder) =>
	build
		.select(LISTED)
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(deciders, eq(deciders.id, fundRequests.decidedBy))
		.leftJoin(payouts, eq(payouts.id, fundRequests.payoutId))
		.leftJoin(receipts, eq(receipts.id, fundRequests.receiptId));

/** Also with what is unusual about them, which takes two more queries for each. */
export const selectFlagged = (build: Builder) =>
	build
		.select({ ...LISTED, twin: TWIN, isPaidByMile: IS_PAID_BY_MILE })
		.from(fundRequests)
		.innerJoin(users, eq(users.id, fundRequests.driverId))
		.leftJoin(deciders, eq(deciders.id, fundRequests.decidedBy))
		.leftJoin(payouts, eq(payouts.id, fundRequests.payoutId))
		.leftJoin(receipts, eq(receipts.id, fundRequests.receiptId));

/** A driver's newest requests with what is unusual about them. */
export function listFlagged(build: Builder, driverId: string, limit: number) {
	return selectFlagged(build)
		.where(eq(fundRequests.driverId, driverId))
		.orderBy(desc(fundRequests.createdAt), desc(fundRequests.number))
		.limit(limit);
}

/** One request by its id, a driver's or anyone's, as in the list. */
export function findRequest(
	build: Builder,
	driverId: SQL<string> | string | undefined,
	id: string,
) {
	return selectListed(build).where(
		and(
			eq(fundRequests.id, id),
			driverId === undefined ? undefined : eq(fundRequests.driverId, driverId),
		),
	);
}

/** The history of a request and its payouts, newest first: the last 50 events. */
export function selectTimeline(build: Builder, requestId: SQL | string) {
	return build
		.select({
			id: auditEvents.id,
			at: auditEvents.at,
			action: auditEvents.action,
			after: auditEvents.after,
			reason: auditEvents.reason,
			/** The payout of an event. */
			payoutNumber: sql<number | null>`(select payouts.number from payouts
				where ${auditEvents.entity} = 'payout' and payouts.id = ${auditEvents.entityId})`.as(
				"payout_number",
			),
			firstName: users.firstName,
			lastName: users.lastName,
		})
		.from(auditEvents)
		.leftJoin(users, eq(users.id, auditEvents.actorId))
		.where(
			or(
				and(eq(auditEvents.entity, "fund-request"), eq(auditEvents.entityId, requestId)),
				and(
					eq(auditEvents.entity, "payout"),
					sql`${auditEvents.entityId} in (select payout_requests.payout_id from payout_requests
						where payout_requests.request_id = ${requestId})`,
				),
			),
		)
		.orderBy(desc(auditEvents.at), desc(auditEvents.id))
		.limit(50);
}

/** A receipt that someone may open: its owner, or any administrator or accountant. */
export function findReceipt(build: Builder, me: SQL<string>, id: string) {
	return build
		.select({ receipt: receipts, number: fundRequests.number })
		.from(receipts)
		.leftJoin(fundRequests, eq(fundRequests.receiptId, receipts.id))
		.where(
			and(
				eq(receipts.id, id),
				or(
					sql`${receipts.ownerId} = ${me}`,
					sql`exists (select 1 from ${users} where ${users.id} = ${me} and ${isOfOfficeIn("users")})`,
				),
			),
		);
}
