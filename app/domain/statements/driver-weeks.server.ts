/** A driver's money by the fleet's weeks, according to the platforms' statements. */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { firstDayOfWeek } from "./settlement-week.server.ts";

/** Sums in cents, each plus for the driver: cash in hand is below zero. */
export type DriverWeek = {
	/** The week's first day. */
	readonly from: CalendarDate;
	readonly fareCents: number;
	readonly tipCents: number;
	readonly tollCents: number;
	readonly cashCents: number;
};

/** The first day of the week that a row ends in. */
const WEEK = firstDayOfWeek(sql`counts_to`);

/**
 * Weeks with money, latest first. Rows that don't add up, or whose days lie in two weeks, don't
 * count.
 * @param since the first week is all of the one with this day
 */
export const listDriverWeeks = (build: Builder, driverId: string, since: CalendarDate) =>
	build.all<DriverWeek>(sql`select ${WEEK} as "from", sum(fare_cents) as fareCents,
			sum(tip_cents) as tipCents, sum(toll_cents) as tollCents, sum(cash_cents) as cashCents
		from statement_money
		where driver_id = ${driverId} and counts_to >= ${firstDayOfWeek(since)} and counts_from >= ${WEEK}
			and is_live = 1 and proof <> 'unproven'
		group by 1 order by 1 desc`);
