/**
 * Whether the books balance: for every driver, what was approved equals what was paid plus what is
 * unpaid, and what was settled equals what was paid plus what is carried plus what is unpaid,
 * calculated from the rows, and the totals agree.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { LONGEST_BLOCK } from "../../db/longest-block.ts";
import { effectiveCents } from "../fund-requests/rows.server.ts";

/** A driver's balance from the rows and from the totals, in cents. */
export type Balance = {
	readonly driverId: string;
	readonly approvedCents: number;
	readonly paidCents: number;
	/** In open payouts, and in none. */
	readonly openCents: number;
	readonly readyCents: number;
	/** What the published weeks came to, without what they carried. */
	readonly settledCents: number;
	readonly settledPaidCents: number;
	/** Below zero: what the next week carries. */
	readonly carriedCents: number;
	readonly settledOpenCents: number;
	readonly settledReadyCents: number;
	/** Requests and settlements in more than one live payout. */
	readonly twice: number;
	/** The same, from the totals. */
	readonly totalApprovedCents: number;
	readonly totalPaidCents: number;
	readonly totalOpenCents: number;
	readonly totalReadyCents: number;
	readonly totalSettledPaidCents: number;
	readonly totalSettledOpenCents: number;
	readonly totalSettledReadyCents: number;
};

type PartsTable = "payout_requests" | "payout_settlements";

/**
 * The balances of the next people, by id. The index is named: left to the planner, each driver costs
 * all unpaid requests of the fleet.
 */
export function selectBalances(build: Builder, after: string, limit: number) {
	const sumInPayouts = (lines: PartsTable, status: string) =>
		sql`(select coalesce(sum(line.amount_cents), 0)
			from ${sql.identifier(lines)} as line join payouts on payouts.id = line.payout_id
			where line.driver_id = owner.id and payouts.status = ${status})`;
	const twice = (lines: PartsTable, part: string) =>
		sql`(select count(*) from (select line.${sql.identifier(part)} from ${sql.identifier(lines)} as line
			join payouts on payouts.id = line.payout_id
			where line.driver_id = owner.id and payouts.status <> 'cancelled'
			group by line.${sql.identifier(part)} having count(*) > 1) as several)`;
	const settled = (cents: SQL, which: SQL) => sql`(select coalesce(sum(${cents}), 0)
		from settlements where settlements.driver_id = owner.id and ${which})`;
	const isPublished = sql`settlements.status in ('published', 'paid')`;
	const total = (column: string) => sql`coalesce((select ${sql.identifier(column)}
		from payout_totals where payout_totals.driver_id = owner.id), 0)`;
	return build.all<Balance>(sql`
		select owner.id as driverId,
			(select coalesce(sum(${effectiveCents}), 0) from fund_requests
				where fund_requests.driver_id = owner.id and fund_requests.status = 'approved')
				as approvedCents,
			${sumInPayouts("payout_requests", "paid")} as paidCents,
			${sumInPayouts("payout_requests", "open")} as openCents,
			(select coalesce(sum(${effectiveCents}), 0)
				from fund_requests indexed by requests_unpaid_by_driver
				where fund_requests.driver_id = owner.id and fund_requests.status = 'approved'
					and fund_requests.payout_id is null) as readyCents,
			${settled(sql`result_cents - carried_in_cents`, isPublished)} as settledCents,
			${sumInPayouts("payout_settlements", "paid")} as settledPaidCents,
			${settled(sql`result_cents`, sql`${isPublished} and result_cents < 0 and carried_by is null`)}
				as carriedCents,
			${sumInPayouts("payout_settlements", "open")} as settledOpenCents,
			${settled(
				sql`result_cents`,
				sql`settlements.status = 'published' and payout_id is null
				and result_cents > 0`,
			)} as settledReadyCents,
			${twice("payout_requests", "request_id")} + ${twice("payout_settlements", "settlement_id")}
				as twice,
			coalesce((select sum(gas_cents + maintenance_cents + other_cents) from block_totals
				where block_totals.driver_id = owner.id and days = ${LONGEST_BLOCK}), 0)
				as totalApprovedCents,
			${total("paid_cents")} as totalPaidCents, ${total("open_cents")} as totalOpenCents,
			${total("ready_cents")} as totalReadyCents,
			${total("paid_settled_cents")} as totalSettledPaidCents,
			${total("open_settled_cents")} as totalSettledOpenCents,
			${total("ready_settled_cents")} as totalSettledReadyCents
		from (select id from users where id > ${after} order by id limit ${limit}) as owner`);
}

const AMOUNTS = [
	"paid_cents",
	"open_cents",
	"ready_cents",
	"paid_settled_cents",
	"open_settled_cents",
	"ready_settled_cents",
] as const;
/** The fleet's own totals, and the sums of everyone's, in cents. */
export type FleetBalance = Readonly<
	Record<(typeof AMOUNTS)[number] | `total_${(typeof AMOUNTS)[number]}`, number>
>;

/** What the screens show of the whole fleet, beside the sums of everyone's totals. */
export function selectFleetBalance(build: Builder) {
	const sums = AMOUNTS.map(
		(name) => sql`coalesce(sum(${sql.identifier(name)}), 0) as ${sql.identifier(name)}`,
	);
	const totals = AMOUNTS.map(
		(name) => sql`coalesce((select ${sql.identifier(name)} from payout_totals
			where driver_id = ''), 0) as ${sql.identifier(`total_${name}`)}`,
	);
	return build.all<FleetBalance>(
		sql`select ${sql.join([...sums, ...totals], sql`, `)} from payout_totals where driver_id > ''`,
	);
}

/** Whether the fleet's totals are the sums of everyone's. */
export const isFleetBalanced = (balance: FleetBalance | undefined): boolean =>
	balance !== undefined && AMOUNTS.every((name) => balance[name] === balance[`total_${name}`]);

/** Whether a driver's books balance and the totals are right. */
export function isBalanced(balance: Balance): boolean {
	const { approvedCents, paidCents, openCents, readyCents } = balance;
	const { settledCents, settledPaidCents, carriedCents } = balance;
	const { settledOpenCents, settledReadyCents } = balance;
	return (
		approvedCents === paidCents + openCents + readyCents &&
		settledCents === settledPaidCents + carriedCents + settledOpenCents + settledReadyCents &&
		balance.totalSettledPaidCents === settledPaidCents &&
		balance.totalSettledOpenCents === settledOpenCents &&
		balance.totalSettledReadyCents === settledReadyCents &&
		balance.twice === 0 &&
		balance.totalApprovedCents === approvedCents &&
		balance.totalPaidCents === paidCents &&
		balance.totalOpenCents === openCents &&
		balance.totalReadyCents === readyCents
	);
}
