/**
 * What a week's lines follow from, read as one value, so that a page of settlements costs one trip
 * however many of them are worked out.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Terms } from "../agreements/rules.ts";
import { WEEKS_OPEN_FROM } from "../archive/closed-years.server.ts";
import { MAX_INSTALMENTS } from "../charges/rules.ts";
import { MONEY_KINDS } from "../statements/money.ts";

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);
const BUSINESS_MILES = sql`sum(trip.miles - coalesce(trip.personal_miles, 0))`;

const TERMS = {
	base: sql`applying.base`,
	faresBasisPoints: sql`applying.fares_basis_points`,
	tipsBasisPoints: sql`applying.tips_basis_points`,
	promotionsBasisPoints: sql`applying.promotions_basis_points`,
	tollsTo: sql`applying.tolls_to`,
	weeklyRentCents: sql`applying.weekly_rent_cents`,
	weeklyFeeCents: sql`applying.weekly_fee_cents`,
	fleetBasisPoints: sql`applying.fleet_basis_points`,
	perMileMills: sql`applying.per_mile_mills`,
	thresholdMiles: sql`applying.threshold_miles`,
	thereafterMills: sql`applying.thereafter_mills`,
	taxYearStart: sql`applying.tax_year_start`,
} as const satisfies Record<keyof Terms, SQL>;

/** The conditions on rows of a driver's week. */
type WeekOf = { readonly driverId: SQL; readonly from: SQL };
const lastDay = ({ from }: WeekOf) => sql`date(${from}, '+6 days')`;

/** Live rows of statements that end in the week. */
const moneyOf = (week: WeekOf) => sql`statement_money as money
	where money.driver_id = ${week.driverId} and money.counts_to between ${week.from} and ${lastDay(week)}
		and money.is_live = 1`;
/** Whether a row counts: it adds up, and its days are all in the week. */
const counts = ({ from }: WeekOf) =>
	sql`money.proof <> 'unproven' and money.counts_from >= ${from}`;

/** The first day of the tax year that the week begins in. */
const taxYear = ({ from }: WeekOf) => sql`(substr(${from}, 1, 4)
	- (substr(${from}, 6) < coalesce(applying.tax_year_start, '01-01'))) || '-'
	|| coalesce(applying.tax_year_start, '01-01')`;
const tripsOf = (week: WeekOf, days: SQL) => sql`mileage_logs as trip
	where trip.driver_id = ${week.driverId} and ${days} and trip.voided_at is null`;

/**
 * A week's facts, for `readDraft`. Counting the agreements that apply, one or none, makes one row
 * either way: a row read less than an outer join.
 */
export function factsOf(week: WeekOf): SQL {
	const { driverId, from } = week;
	const sums = MONEY_KINDS.map(
		(kind) => sql`sum(iif(${counts(week)}, ${sql.raw(`money.${kind}_cents`)}, 0))`,
	);
	return sql`(select json_object(
		'money', json((select json_group_array(json(told)) from (select
			json_array(money.platform, count(*) - sum(${counts(week)}), ${list(sums)}) as told
			from ${moneyOf(week)} group by money.platform order by money.platform desc))),
		'terms', json(iif(count(*) = 0, null, json_object(${list(
			Object.entries(TERMS).map(([name, column]) => sql`${name}, ${column}`),
		)}))),
		'miles', json(iif(applying.per_mile_mills > 0 or applying.thereafter_mills > 0, (select
			json_group_array(json_array(day, miles)) from (select trip.driven_on as day,
				${BUSINESS_MILES} as miles
				from ${tripsOf(week, sql`trip.driven_on between ${from} and ${lastDay(week)}`)}
				group by trip.driven_on)), '[]')),
		'before', iif(applying.threshold_miles is null, 0, (select coalesce(${BUSINESS_MILES}, 0)
			from ${tripsOf(week, sql`trip.driven_on >= ${taxYear(week)} and trip.driven_on < ${from}`)})),
		'charges', json((select json_group_array(json_array(due.id, due.kind, due.charged_on,
				due.amount_cents, due.direction, due.instalments))
			from (select * from charges as due
				where due.driver_id = ${driverId} and due.voided_at is null and due.charged_on
					between date(${from}, ${`-${7 * (MAX_INSTALMENTS - 1)} days`}) and ${lastDay(week)}
				order by due.charged_on, due.created_at, due.id) as due)))
		from (select * from agreements where driver_id = ${driverId} and starts_on <= ${from}
			order by starts_on desc, number desc limit 1) as applying)`;
}

/** Whether a settlement is published, and still counts. */
export const isPublished = (name: string): SQL =>
	sql`${sql.raw(name)}.status <> 'void' and ${sql.raw(name)}.status <> 'draft'`;

/**
 * What a published week's correction follows from, for `toPublishedWeek`: its books today, the sum
 * of its own lines, and what later weeks have corrected.
 * @param name the table of settlements, or a name for it
 */
export function publishedOf(name: string): SQL {
	const week = sql.raw(name);
	return sql`json_object(
		'from', ${week}.week_from,
		'facts', json(${factsOf({ driverId: sql`${week}.driver_id`, from: sql`${week}.week_from` })}),
		'published', (select coalesce(sum(line.amount_cents), 0) from settlement_lines as line
			where line.settlement_id = ${week}.id and line.kind <> 'correction'),
		'corrected', (select coalesce(sum(line.amount_cents), 0) from settlements as later
			join settlement_lines as line on line.settlement_id = later.id
			where later.driver_id = ${week}.driver_id and later.week_from > ${week}.week_from
				and ${isPublished("later")} and line.about_week = ${week}.week_from))`;
}

/**
 * Everything that a draft follows from, for `readDraft`: its own week, the sums that it carries, and
 * the published weeks before it whose books have changed since.
 */
export function draftOf(week: WeekOf): SQL {
	const { driverId, from } = week;
	return sql`json_object('own', json(${factsOf(week)}),
		'carried', json((select json_group_array(json_array(earlier.id, earlier.result_cents))
			from settlements as earlier indexed by settlements_to_carry
			where earlier.driver_id = ${driverId} and earlier.result_cents < 0
				and earlier.carried_by is null and earlier.week_from < ${from}
				and ${isPublished("earlier")})),
		'earlier', json((select json_group_array(${publishedOf("published")})
			from settlement_marks as mark
				cross join settlements as published on published.driver_id = mark.driver_id
			where mark.driver_id = ${driverId} and published.week_from >= date(mark.since, '-6 days')
				and published.week_from < ${from} and published.week_from >= ${WEEKS_OPEN_FROM}
				and ${isPublished("published")} order by published.week_from)))`;
}
