/**
 * The filters of the list of payouts as SQL. A driver, a day or a reference is found by an index of
 * its own, which has another order than the list: a screen reads so many of them at most, and a
 * file or the API all.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { payouts } from "../../db/schema.ts";
import type { PayoutFilters } from "./search.ts";

/** How many payouts of a filter are counted and listed on a screen. */
export const MAX_COUNTED = 500;

const within = (column: SQL, { paidFrom, paidTo }: PayoutFilters) =>
	and(
		sql`${column} is not null`,
		paidFrom && sql`${column} >= ${paidFrom}`,
		paidTo && sql`${column} <= ${paidTo}`,
	);

/** The ids that the narrowest index finds; undefined where the list's own order serves. */
function candidates(filters: PayoutFilters, most: number): SQL | undefined {
	const { driver, paidFrom, paidTo, reference } = filters;
	const linesIn = (table: "payout_requests" | "payout_settlements", day: SQL) =>
		sql`select id from (select payout_id as id from ${sql.identifier(table)}
		indexed by ${sql.identifier(`${table}_by_day`)} where driver_id = ${driver} and ${day}
		group by paid_on, payout_id order by paid_on desc, payout_id desc limit ${most})`;
	const lines = (day: SQL) =>
		sql`${linesIn("payout_requests", day)} union all ${linesIn("payout_settlements", day)}`;
	if (driver) {
		const paid = lines(sql`${within(sql`paid_on`, filters)}`);
		return paidFrom || paidTo ? paid : sql`${paid} union all ${lines(sql`paid_on is null`)}`;
	}
	if (reference)
		return sql`select id from payouts where reference is not null
			and reference collate nocase >= ${reference}
			and reference collate nocase < ${`${reference}\uffff`} limit ${most}`;
	if (paidFrom || paidTo)
		return sql`select id from payouts where ${within(sql`paid_on`, filters)}
			order by paid_on desc limit ${most}`;
	return undefined;
}

/** The payouts of a filter. */
export function isIn(filters: PayoutFilters, most = -1): SQL | undefined {
	const { status, reference } = filters;
	const found = candidates(filters, most);
	if (!found) return status && eq(payouts.status, status);
	return and(
		sql`${payouts.id} in (${found})`,
		status && sql`+${payouts.status} = ${status}`,
		filters.paidFrom && sql`+${payouts.paidOn} >= ${filters.paidFrom}`,
		filters.paidTo && sql`+${payouts.paidOn} <= ${filters.paidTo}`,
		reference
			? sql`substr(${payouts.reference}, 1, ${[...reference].length}) = ${reference} collate nocase`
			: undefined,
	);
}

/** What a payout is for, whole or a driver's part: how many drivers, requests and settlements, in cents. */
export function partOf({ driver }: PayoutFilters) {
	const own = (table: "payout_requests" | "payout_settlements", what: SQL) =>
		sql<number>`(select ${what} from ${sql.identifier(table)}
			where payout_id = ${payouts.id} and driver_id = ${driver})`;
	const [count, cents] = [sql`count(*)`, sql`coalesce(sum(amount_cents), 0)`];
	return driver
		? {
				partCents: sql<number>`${own("payout_requests", cents)} + ${own("payout_settlements", cents)}`,
				drivers: sql<number>`1`,
				requests: own("payout_requests", count),
				settlements: own("payout_settlements", count),
			}
		: {
				partCents: sql<number>`${payouts.totalCents}`,
				drivers: sql<number>`${payouts.driverCount}`,
				requests: sql<number>`${payouts.requestCount} - ${payouts.settlementCount}`,
				settlements: sql<number>`${payouts.settlementCount}`,
			};
}

/** How many payouts a filter has, and their sum; one more than `MAX_COUNTED` means many. */
export const selectFilterTotals = (build: Builder, filters: PayoutFilters) =>
	build.all<{ count: number; cents: number }>(sql`
		select count(*) as count, coalesce(sum(cents), 0) as cents from (
			select ${partOf(filters).partCents} as cents from payouts where ${isIn(filters, MAX_COUNTED + 1) ?? sql`1`}
			order by number desc limit ${MAX_COUNTED + 1})`);
