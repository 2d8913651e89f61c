/** The years in which a driver has entries. */
import { type SQL, sql } from "drizzle-orm";
import type { Owner } from "../../db/owner.server.ts";
import { prepareForOwner } from "../../db/prepared.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { FIRST_YEAR } from "./rules.ts";

/**
 * One date of every year in which a driver has a trip, voided or not, a request or a fee, oldest
 * first. Each year is looked up in the indexes, so that its rows aren't read.
 * @param driverId an id, or a sub-select before the session is proved
 */
export const selectYearsWithEntries = (driverId: Owner) => yearsOf(driverId, {});

const yearsOf = prepareForOwner((build, driverId) => {
	const yearEnd = sql`substr(years.day, 1, 4) || '-12-31'`;
	// A request is found by its moment: in no time zone does next year start before 10:00 UTC on
	// December 31. What was requested between then and midnight in the fleet's zone is read too.
	const moment = sql`unixepoch(${yearEnd}, '+10 hours') * 1000`;
	const orNever = (first: SQL) => sql`coalesce((${first}), '9999')`;
	return build.all<{ day: CalendarDate }>(sql`
		with recursive owner(id) as materialized (select ${driverId}),
		years(day) as (
			select ${`${FIRST_YEAR - 1}-12-31`}
			union all
			select min(
				${orNever(sql`select driven_on from mileage_logs where driver_id = (select id from owner)
					and driven_on > ${yearEnd} order by driven_on limit 1`)},
				${orNever(sql`select driven_on from archived_days where driver_id = (select id from owner)
					and driven_on > ${yearEnd} order by driven_on limit 1`)},
				${orNever(sql`select requested_on from fund_requests where driver_id = (select id from owner)
					and created_at >= ${moment} and requested_on > ${yearEnd} order by created_at limit 1`)},
				${orNever(sql`select charged_on from uber_fees where driver_id = (select id from owner)
					and charged_on > ${yearEnd} and deleted_at is null order by charged_on limit 1`)})
			from years where day < '9999'
		)
		select day from years where day between ${`${FIRST_YEAR}-01-01`} and '9998'`);
});
