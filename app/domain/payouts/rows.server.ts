/** Conditions and reads that the commands on payouts share. */
import { eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { payouts, users } from "../../db/schema.ts";
import type { PaidRequest, PaidSettlement } from "./json.ts";
import { BILL_FORMATS } from "./rules.ts";

const payers = alias(users, "payers");
const cancellers = alias(users, "cancellers");

/** Whether a payout includes a request or a settlement of theirs. */
export const hasOwnLine = (userId: string): SQL =>
	sql`(exists (select 1 from payout_requests where payout_requests.payout_id = ${payouts.id}
			and payout_requests.driver_id = ${userId})
		or exists (select 1 from payout_settlements where payout_settlements.payout_id = ${payouts.id}
			and payout_settlements.driver_id = ${userId}))`;

/** A person in a row; D1 returns rows by column name, so several need prefixes. */
const person = (table: typeof payers | typeof cancellers | typeof users, prefix: string) => ({
	firstName: sql<string>`${table.firstName}`.as(`${prefix}_first_name`),
	lastName: sql<string>`${table.lastName}`.as(`${prefix}_last_name`),
});

/** A payout's requests as one value: driver, request, amount. */
const requestsOf = sql<PaidRequest[]>`(select json_group_array(json_object(
	'driverId', payout_requests.driver_id, 'driverNumber', owners.driver_number,
	'firstName', owners.first_name, 'lastName', owners.last_name,
	'requestId', payout_requests.request_id, 'requestNumber', fund_requests.number,
	'amountCents', payout_requests.amount_cents))
	from payout_requests join fund_requests on fund_requests.id = payout_requests.request_id
		join users as owners on owners.id = payout_requests.driver_id
	where payout_requests.payout_id = ${payouts.id})`
	.mapWith((text: string): PaidRequest[] => JSON.parse(text))
	.as("requests");

/** Its settlements in the same way. */
const settlementsOf = sql<PaidSettlement[]>`(select json_group_array(json_object(
	'driverId', payout_settlements.driver_id, 'driverNumber', owners.driver_number,
	'firstName', owners.first_name, 'lastName', owners.last_name,
	'settlementId', payout_settlements.settlement_id, 'settlementNumber', settlements.number,
	'weekFrom', settlements.week_from, 'amountCents', payout_settlements.amount_cents))
	from payout_settlements join settlements on settlements.id = payout_settlements.settlement_id
		join users as owners on owners.id = payout_settlements.driver_id
	where payout_settlements.payout_id = ${payouts.id})`
	.mapWith((text: string): PaidSettlement[] => JSON.parse(text))
	.as("settlements");

/**
 * When its bills for an accounting program were first downloaded, as the audit has it, or null. The
 * entry is about a file, by the name of `exportFileName`.
 */
export const billsDownloadedAt = sql<number | null>`(select min(audit_events.at) from audit_events
	where audit_events.entity = 'file' and audit_events.entity_id in (${sql.join(
		BILL_FORMATS.map((format) => sql`printf(${`payout-PO-%06d-${format}.csv`}, ${payouts.number})`),
		sql`, `,
	)}) and audit_events.at >= ${payouts.createdAt})`;

/** Payouts with the people who changed them, their requests and settlements. */
export function payoutsWithParts(build: Builder) {
	return build
		.select({
			payout: payouts,
			creator: person(users, "creator"),
			payer: person(payers, "payer"),
			canceller: person(cancellers, "canceller"),
			requests: requestsOf,
			settlements: settlementsOf,
			billsDownloadedAt: billsDownloadedAt.as("bills_downloaded_at"),
		})
		.from(payouts)
		.innerJoin(users, eq(users.id, payouts.createdBy))
		.leftJoin(payers, eq(payers.id, payouts.paidBy))
		.leftJoin(cancellers, eq(cancellers.id, payouts.cancelledBy));
}

export type FullPayoutRow = Awaited<ReturnType<typeof payoutsWithParts>>[number];
