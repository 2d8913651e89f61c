/**
 * A driver's own weeks: as they were published, with the rows that they rest on, and the current one
 * so far. Drafts and void settlements don't exist for their driver.
 */
import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Builder, Results } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { agreements, charges, mileageLogs, settlements } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { selectClosedUntil } from "../archive/closed-years.server.ts";
import { withArchived } from "../archive/read.server.ts";
import type { DriverContext } from "../kernel/context.ts";
import { MONEY_KINDS, type MoneyCents, type MoneyKind } from "../statements/money.ts";
import { firstDayOfWeek } from "../statements/settlement-week.server.ts";
import { draftOf, isPublished } from "./facts.server.ts";
import { settlementsWithLines } from "./rows.server.ts";

/** Their published settlements. */
export const isOwn = (me: Owner): SQL =>
	sql`${eq(settlements.driverId, me)} and ${isPublished("settlements")}`;

/** One of their published settlements. */
export const findOwnWeek = (build: Builder, me: Owner, id: string) =>
	settlementsWithLines(build).where(and(eq(settlements.id, id), isOwn(me)));

/** The current week as today's books have it. */
export type WeekSoFar = {
	/** Its first day. */
	readonly from: CalendarDate;
	/** For `readDraft`. */
	readonly draft: string;
	/** Whether the week before has an agreement or money, and isn't published. */
	readonly isLastOpen: 0 | 1;
};

/** The current week so far; always one row. */
export const selectWeekSoFar = (build: Builder, me: Owner, today: CalendarDate) =>
	build.all<WeekSoFar>(sql`
		select asked.week_from as "from", ${draftOf({
			driverId: sql`asked.id`,
			from: sql`asked.week_from`,
		})} as draft,
			not exists (select 1 from settlements as earlier where earlier.driver_id = asked.id
					and earlier.week_from = date(asked.week_from, '-7 days') and ${isPublished("earlier")})
				and (exists (select 1 from agreements where agreements.driver_id = asked.id
						and agreements.starts_on <= date(asked.week_from, '-7 days'))
					or exists (select 1 from statement_money as money where money.driver_id = asked.id
						and money.counts_to between date(asked.week_from, '-7 days')
							and date(asked.week_from, '-1 day') and money.is_live = 1)) as isLastOpen
		from (select ${me} as id, ${firstDayOfWeek(today)} as week_from) as asked`);

/** What the statements say of a driver's week, by platform and by the days of their rows. */
export type OwnMoney = MoneyCents & {
	readonly platform: string;
	readonly from: CalendarDate;
	readonly to: CalendarDate;
	readonly found: number;
	/** Rows that don't add up to what their file states, or whose days lie in two weeks. */
	readonly leftOut: number;
	/** Rows that add up to a total that their file states. */
	readonly proven: number;
};

/** Days of one week's rows: each day, and periods, of two platforms. */
const MAX_MONEY_ROWS = 30;
/** Listed trips of one week. */
export const MAX_TRIPS = 60;

const sumOf = (kind: MoneyKind) =>
	sql`sum(iif(counts, ${sql.raw(`money.${kind}_cents`)}, 0)) as ${sql.raw(kind)}`;

/** The statements' rows of a published week, as they stand today; those that count are summed up. */
export const selectOwnMoney = (build: Builder, me: Owner, id: string) =>
	build.all<OwnMoney>(sql`
		select money.platform as platform, money.counts_from as "from", money.counts_to as "to",
			count(*) as found, count(*) - sum(counts) as leftOut,
			sum(counts and money.proof = 'proven') as proven, ${sql.join(MONEY_KINDS.map(sumOf), sql`, `)}
		from (select item.*, item.proof <> 'unproven' and item.counts_from >= week.week_from as counts
			from settlements as week cross join statement_money as item
				on item.driver_id = week.driver_id
					and item.counts_to between week.week_from and date(week.week_from, '+6 days')
			where week.id = ${id} and week.driver_id = ${me} and ${isPublished("week")}
				and item.is_live = 1) as money
		group by 1, 2, 3 order by 1 desc, 2, 3 limit ${MAX_MONEY_ROWS}`);

/** The first day of a published week, null for any other id. */
const firstDayOf = (me: Owner, id: string) =>
	sql`(select week.week_from from settlements as week
		where week.id = ${id} and week.driver_id = ${me} and ${isPublished("week")})`;

/** A week's trips, latest day first; one more than are listed says that there are more. */
function selectTrips(build: Builder, driverId: SQL | string, from: SQL | CalendarDate) {
	const { drivenOn, endMiles, miles, personalMiles, voidedAt } = mileageLogs;
	return build
		.select({ id: mileageLogs.id, drivenOn, endMiles, miles, personalMiles })
		.from(mileageLogs)
		.where(
			and(
				eq(mileageLogs.driverId, driverId),
				sql`${drivenOn} between ${from} and date(${from}, '+6 days')`,
				isNull(voidedAt),
			),
		)
		.orderBy(desc(drivenOn), desc(endMiles), desc(mileageLogs.id))
		.limit(MAX_TRIPS + 1);
}

/** The trips of a published week that are in the database. */
export const selectOwnTrips = (build: Builder, me: Owner, id: string) => ({
	trips: selectTrips(build, me, firstDayOf(me, id)),
	closed: selectClosedUntil(build),
});

/** All trips of the week, those of a closed year from the archive. */
export const allOwnTrips = (
	driver: DriverContext,
	{ trips, closed }: Results<ReturnType<typeof selectOwnTrips>>,
	from: CalendarDate,
) =>
	withArchived(
		driver,
		closed,
		{ rows: trips, limit: MAX_TRIPS + 1, from, isDescending: true, placeOf: (trip) => trip },
		async (archive) => {
			const found = { trips: selectTrips(archive.build, driver.user.id, from) };
			return (await archive.batch(found)).trips;
		},
	);

/** The charges that a published week has instalments of. */
export const selectOwnCharges = (build: Builder, me: Owner, id: string) =>
	build
		.select()
		.from(charges)
		.where(
			and(
				sql`${charges.id} in (select line.charge_id from settlement_lines as line
					where line.settlement_id = ${id} and line.charge_id is not null)`,
				eq(charges.driverId, me),
			),
		)
		.orderBy(charges.chargedOn, charges.createdAt);

/** The agreement that a published week rests on: the one in force when it was published. */
export const selectOwnAgreement = (build: Builder, me: Owner, id: string) =>
	build
		.select()
		.from(agreements)
		.where(
			and(
				eq(agreements.driverId, me),
				sql`${agreements.startsOn} <= ${firstDayOf(me, id)}`,
				sql`${agreements.createdAt} <= (select week.published_at from settlements as week
					where week.id = ${id})`,
			),
		)
		.orderBy(desc(agreements.startsOn), desc(agreements.number))
		.limit(1);

/** A published week that another one corrects, or carries a sum to or from. */
export type NearWeek = {
	readonly id: string;
	readonly number: number;
	readonly weekFrom: CalendarDate;
	/** What it corrects of the week, in cents; null if nothing. */
	readonly correctedCents: number | null;
	/** Whether the week carries its sum. */
	readonly isCarried: 0 | 1;
	/** Whether it carries the week's sum. */
	readonly isCarrier: 0 | 1;
};

/** The weeks that a published week corrects or carries, and those that correct or carry it. */
export const selectNearWeeks = (build: Builder, me: Owner, id: string) =>
	build.all<NearWeek>(sql`
		select near.id as id, near.number as number, near.week_from as weekFrom,
			(select sum(line.amount_cents) from settlement_lines as line
				where line.settlement_id = near.id and line.about_week = week.week_from) as correctedCents,
			coalesce(near.carried_by = week.id, 0) as isCarried,
			coalesce(week.carried_by = near.id, 0) as isCarrier
		from settlements as week cross join settlements as near on near.driver_id = week.driver_id
		where week.id = ${id} and week.driver_id = ${me} and ${isPublished("week")}
			and ${isPublished("near")} and near.id <> week.id
			and (near.carried_by = week.id or near.id = week.carried_by
				or near.week_from in (select line.about_week from settlement_lines as line
					where line.settlement_id = week.id)
				or near.week_from > week.week_from and exists (select 1 from settlement_lines as line
					where line.settlement_id = near.id and line.about_week = week.week_from))
		order by near.week_from`);

/** What the PDF of a published week is made of. */
export const weekStatement = (build: Builder, me: Owner, id: string) => ({
	found: findOwnWeek(build, me, id),
	money: selectOwnMoney(build, me, id),
	agreement: selectOwnAgreement(build, me, id),
});

/** Whose a settlement is, for those who may read everyone's. */
export const driverOfWeek = (id: string): SQL<string> =>
	sql<string>`(select asked.driver_id from settlements as asked where asked.id = ${id})`;
