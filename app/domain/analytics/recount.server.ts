/**
 * Recalculates the totals from the rows: for a fleet that has changed its time zone, or whose rows
 * were written without the triggers. Run by the operator (tools/admin.ts); everything else only
 * adds to the totals.
 */
import { and, eq, ne, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { blockTotals } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { BLOCK_DAYS } from "./blocks.ts";
import { forgetStandings, rebuildStandings } from "./keep-standings.server.ts";
import { FLEET } from "./queries.server.ts";

/** Drivers per transaction. */
const DRIVERS = 100;

/** The sums of one kind of row, in the order of the columns. */
const MEASURES = [
	"trip",
	"gas",
	"maintenance",
	"other",
	"pending",
	"commission",
	"service_fee",
	"booking_fee",
	"other_fee",
	"commission_credit",
	"service_fee_credit",
	"booking_fee_credit",
	"other_fee_credit",
] as const;

/**
 * Recalculates every driver's totals, then the fleet's from theirs.
 * @param today rebuilds the standings of this date too; without it they are only deleted, and the
 * Worker rebuilds them within minutes
 * @returns how many drivers have any
 */
export async function recount(db: Database, today?: CalendarDate): Promise<number> {
	let drivers = 0;
	await db.batch(forgetStandings(db));
	for (let after = FLEET; ; ) {
		const { page } = await db.batch({ page: selectOwnersAfter(db.build, after) });
		const last = page.at(-1);
		if (!last) break;
		drivers += page.length;
		const whose = sql`> ${after} and driver_id <= ${last.driverId}`;
		await db.batch({
			gone: db.build.run(sql`delete from block_totals where driver_id ${whose}`),
			...Object.fromEntries(
				BLOCK_DAYS.map((days) => [
					`of${days}`,
					db.build.run(
						sql`insert into block_totals (driver_id, days, first_day, ${TOTAL_COLUMNS}) ${recountedTotals(days, whose)}`,
					),
				]),
			),
			unpaidGone: db.build.run(sql`delete from payout_totals where driver_id ${whose}`),
			unpaid: db.build.run(standing(whose)),
		});
		after = last.driverId;
	}
	const columns = TOTAL_COLUMNS;
	await db.batch({
		// A driver without any rows left has zero totals.
		idle: db.build
			.delete(blockTotals)
			.where(and(ne(blockTotals.driverId, FLEET), sql`driver_id not in (${OWNERS})`)),
		gone: db.build.delete(blockTotals).where(eq(blockTotals.driverId, FLEET)),
		fleet: db.build.run(sql`
			insert into block_totals (driver_id, days, first_day, ${columns})
			select '', days, first_day, ${sql.raw(TOTAL_COLUMN_NAMES.map((name) => `sum(${name})`).join(", "))}
			from block_totals where driver_id <> '' group by days, first_day`),
		unpaidIdle: db.build.run(
			sql`delete from payout_totals where driver_id <> '' and driver_id not in (${OWNERS})`,
		),
		unpaidGone: db.build.run(sql`delete from payout_totals where driver_id = ''`),
		unpaidFleet: db.build.run(sql`
			insert into payout_totals (driver_id, ${STANDING})
			select '', ${sql.raw(STANDING_NAMES.map((name) => `coalesce(sum(${name}), 0)`).join(", "))}
			from payout_totals where driver_id <> ''`),
	});
	// A scheduled run that started meanwhile used incomplete totals.
	await db.batch(forgetStandings(db));
	if (today) await rebuildStandings(db, today);
	return drivers;
}

/** The columns of a block. */
export const TOTAL_COLUMN_NAMES = [
	"miles",
	"trips",
	...["gas", "maintenance", "other", "pending"].flatMap((type) => [
		`${type}_cents`,
		`${type}_requests`,
	]),
	...["commission", "service_fee", "booking_fee", "other_fee"].flatMap((category) => [
		`${category}_cents`,
		`${category}_fees`,
	]),
	...["commission", "service_fee", "booking_fee", "other_fee"].flatMap((category) => [
		`${category}_credit_cents`,
		`${category}_credits`,
	]),
];

/** The values of each block. */
export const TOTAL_COLUMNS = sql.raw(TOTAL_COLUMN_NAMES.join(", "));
/** An owner's totals of all time, with the columns that backups have compared since the first release. */
export const ALL_TIME_COLUMNS = `driver_id, 0 as days, 0 as first_day, ${TOTAL_COLUMN_NAMES.map(
	(name) => `sum(${name}) as ${name}`,
).join(", ")}`;

const STANDINGS = ["ready", "open", "paid"] as const;
const STANDING_NAMES = [
	...STANDINGS.flatMap((name) => [`${name}_cents`, `${name}_requests`]),
	...STANDINGS.flatMap((name) => [`${name}_settled_cents`, `${name}_settlements`]),
];
const STANDING = sql.raw(STANDING_NAMES.join(", "));

/** The statement that counts some drivers' approved requests and settlements by payout state. */
function standing(whose: ReturnType<typeof sql>) {
	const columns = ["request", "settlement"].flatMap((kind) =>
		STANDINGS.map((name) => {
			const isOne = `kind = '${kind}' and standing = '${name}'`;
			return `sum(iif(${isOne}, cents, 0)), sum(${isOne})`;
		}),
	);
	return sql`
		insert into payout_totals (driver_id, ${STANDING})
		select driver_id, ${sql.raw(columns.join(", "))} from (
			select fund_requests.driver_id as driver_id, 'request' as kind,
				coalesce(fund_requests.approved_amount_cents, fund_requests.amount_cents) as cents,
				iif(payouts.id is null, 'ready', iif(payouts.status = 'paid', 'paid', 'open')) as standing
			from fund_requests left join payouts on payouts.id = fund_requests.payout_id
			where fund_requests.status = 'approved' and fund_requests.driver_id ${whose}
			union all
			select driver_id, 'settlement', result_cents,
				iif(status = 'paid', 'paid', iif(payout_id is null, 'ready', 'open'))
			from settlements
			where status in ('published', 'paid') and result_cents > 0 and driver_id ${whose}
		) group by driver_id`;
}

/** Everyone with a row that could count. */
const OWNERS = sql`select driver_id from mileage_logs union select driver_id from archived_days
	union select driver_id from fund_requests union select driver_id from uber_fees
	union select driver_id from settlements`;

/** The next of them, by id. */
export function selectOwnersAfter(build: Builder, after: string) {
	return build.all<{ driverId: string }>(
		sql`select driver_id as driverId from (${OWNERS}) where driver_id > ${after} order by driver_id limit ${DRIVERS}`,
	);
}

/** Some drivers' rows, summed into blocks of one length. */
export function recountedTotals(days: number, whose: ReturnType<typeof sql>) {
	const day = sql`cast(julianday(counted_on) + 0.5 as integer)`;
	const length = sql.raw(String(days));
	const sums = MEASURES.map(
		(measure) =>
			`sum(iif(measure = '${measure}', amount, 0)), sum(iif(measure = '${measure}', entries, 0))`,
	).join(", ");
	return sql`select driver_id, ${length}, ${day} - ${day} % ${length} as block, ${sql.raw(sums)}
		from (
			select driver_id, driven_on as counted_on, 'trip' as measure, miles as amount, 1 as entries from mileage_logs where voided_at is null and driver_id ${whose}
			union all
			select driver_id, driven_on, 'trip', miles, trips from archived_days where trips > 0 and driver_id ${whose}
			union all
			select driver_id, requested_on, iif(status = 'pending', 'pending', type), coalesce(approved_amount_cents, amount_cents), 1 from fund_requests
			where status in ('pending', 'approved') and driver_id ${whose}
			union all
			select driver_id, charged_on, iif(category = 'other', 'other_fee', category) || iif(is_credit, '_credit', ''), amount_cents, 1 from uber_fees
			where deleted_at is null and driver_id ${whose}
		) group by driver_id, block`;
}
