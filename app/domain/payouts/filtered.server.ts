/**
 * The filters of the list of payouts as SQL. A driver, a day or a reference is found by an index of
 * its own, whose order isn't the list's: a screen lists a limited number of matches, a file or the
 * API all of them.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { payouts } from "../../db/schema.ts";
import type { PayoutFilters } from "./search.ts";

/** How many payouts of a filter are counted and listed on a screen. */
export const MAX_COUNTED = 500;

/** Other spellings of a beginning: SQLite's own comparison ignores the case of ASCII letters only. */
const spellingsOf = (text: string) => {
	const [first = "", ...rest] = text.toLowerCase();
	const all = [text, text.toLowerCase(), text.toUpperCase(), first.toUpperCase() + rest.join("")];
	const ascii = (each: string) => each.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	return [...new Set(all.map(ascii))];
};

const beginsWith = (text: string) =>
	sql`(reference collate nocase >= ${text} and reference collate nocase < ${`${text}\u{10ffff}`}
		and substr(reference, 1, ${[...text].length}) = ${text} collate nocase)`;

/** The payouts of a filter without its driver. */
const matches = ({ status, reference, paidFrom, paidTo }: PayoutFilters) =>
	and(
		status && sql`+status = ${status}`,
		paidFrom && sql`+paid_on >= ${paidFrom}`,
		paidTo && sql`+paid_on <= ${paidTo}`,
		reference
			? sql`reference is not null and (${sql.join(spellingsOf(reference).map(beginsWith), sql` or `)})`
			: undefined,
	);

const within = ({ paidFrom, paidTo }: PayoutFilters) =>
	and(
		sql`paid_on is not null`,
		paidFrom && sql`paid_on >= ${paidFrom}`,
		paidTo && sql`paid_on <= ${paidTo}`,
	);

/** The ids of a driver's payouts: those that aren't paid by number, the paid ones by day. */
function ofDriver(driver: string, filters: PayoutFilters, most: number): SQL {
	const lines = (paid: SQL | undefined, rest = sql``) => {
		const of = (table: "payout_requests" | "payout_settlements") =>
			sql`select id from (select payout_id as id from ${sql.identifier(table)}
				indexed by ${sql.identifier(`${table}_by_day`)} where driver_id = ${driver} and ${paid} ${rest})`;
		return sql`${of("payout_requests")} union all ${of("payout_settlements")}`;
	};
	const { status, reference, paidFrom, paidTo } = filters;
	const newest = (paid: SQL | undefined) => sql`select id from (select id from payouts
		where id in (${lines(paid)}) and ${matches(filters) ?? sql`1`} order by +number desc limit ${most})`;
	if (reference) return newest(within(filters));
	const paid = lines(
		within(filters),
		sql`group by paid_on, payout_id order by paid_on desc, payout_id desc limit ${most}`,
	);
	const isOnlyPaid = status === "paid" || paidFrom || paidTo;
	return isOnlyPaid ? paid : sql`${paid} union all ${newest(sql`paid_on is null`)}`;
}

/** The ids that the narrowest index finds; undefined if the list's own order serves. */
function candidates(filters: PayoutFilters, most: number): SQL | undefined {
	const { driver, paidFrom, paidTo, reference } = filters;
	if (driver) return ofDriver(driver, filters, most);
	if (reference)
		return sql`select id from payouts where ${matches(filters)} order by +number desc limit ${most}`;
	if (paidFrom || paidTo)
		return sql`select id from payouts where ${within(filters)}
			order by paid_on desc, number desc limit ${most}`;
	return undefined;
}

/** The payouts of a filter. */
export function isIn(filters: PayoutFilters, most = -1): SQL | undefined {
	const { status } = filters;
	const found = candidates(filters, most);
	if (!found) return status && eq(payouts.status, status);
	return and(sql`${payouts.id} in (${found})`, status && sql`+${payouts.status} = ${status}`);
}

/** The cents, drivers, requests and settlements of a payout, or of one driver's part of it. */
export function partOf({ driver }: PayoutFilters) {
	const own = (table: "payout_requests" | "payout_settlements", what: SQL) =>
		// Its lines have its day, so the index finds them among all that the driver was paid.
		sql<number>`(select ${what} from ${sql.identifier(table)} as line where driver_id = ${driver}
			and line.paid_on is payouts.paid_on and payout_id = payouts.id)`;
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
