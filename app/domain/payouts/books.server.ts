/**
 * Whether the books balance: for every driver, what was approved equals what was paid plus what is
 * unpaid, calculated from the rows, and the totals agree.
 */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { effectiveCents } from "../fund-requests/rows.server.ts";

/** A driver's balance from the rows and from the totals, in cents. */
export type Balance = {
	readonly driverId: string;
	readonly approvedCents: number;
	readonly paidCents: number;
	/** In open payouts, and in none. */
	readonly openCents: number;
	readonly readyCents: number;
	/** Requests in more than one live payout. */
	readonly twice: number;
	/** The same, from the totals. */
	readonly totalApprovedCents: number;
	readonly totalPaidCents: number;
	readonly totalOpenCents: number;
	readonly totalReadyCents: number;
};

/**
 * The balances of the next people, by id. The index is named: left to the planner, each driver costs
 * all unpaid requests of the fleet.
 */
export function selectBalances(build: Builder, after: string, limit: number) {
	const sumInPayouts = (
		status: string,
	) => sql`(select coalesce(sum(payout_requests.amount_cents), 0)
		from payout_requests join payouts on payouts.id = payout_requests.payout_id
		where payout_requests.driver_id = owner.id and payouts.status = ${status})`;
	const total = (column: string) => sql`coalesce((select ${sql.identifier(column)}
		from payout_totals where payout_totals.driver_id = owner.id), 0)`;
	return build.all<Balance>(sql`
		select owner.id as driverId,
			(select coalesce(sum(${effectiveCents}), 0) from fund_requests
				where fund_requests.driver_id = owner.id and fund_requests.status = 'approved')
				as approvedCents,
			${sumInPayouts("paid")} as paidCents, ${sumInPayouts("open")} as openCents,
			(select coalesce(sum(${effectiveCents}), 0)
				from fund_requests indexed by requests_unpaid_by_driver
				where fund_requests.driver_id = owner.id and fund_requests.status = 'approved'
					and fund_requests.payout_id is null) as readyCents,
			(select count(*) from (select payout_requests.request_id from payout_requests
				join payouts on payouts.id = payout_requests.payout_id
				where payout_requests.driver_id = owner.id and payouts.status <> 'cancelled'
				group by payout_requests.request_id having count(*) > 1) as several) as twice,
			coalesce((select gas_cents + maintenance_cents + other_cents from driver_totals
				where driver_totals.driver_id = owner.id and days = 0 and first_day = 0), 0)
				as totalApprovedCents,
			${total("paid_cents")} as totalPaidCents, ${total("open_cents")} as totalOpenCents,
			${total("ready_cents")} as totalReadyCents
		from (select id from users where id > ${after} order by id limit ${limit}) as owner`);
}

const AMOUNTS = ["paid_cents", "open_cents", "ready_cents"] as const;
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
	return (
		approvedCents === paidCents + openCents + readyCents &&
		balance.twice === 0 &&
		balance.totalApprovedCents === approvedCents &&
		balance.totalPaidCents === paidCents &&
		balance.totalOpenCents === openCents &&
		balance.totalReadyCents === readyCents
	);
}
