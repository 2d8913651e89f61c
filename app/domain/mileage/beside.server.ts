/** The driver's trips on both sides of a date, and the dates that have none. */
import { and, asc, desc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { mileageLogs } from "../../db/schema.ts";
import { addDays, type CalendarDate } from "../../values/calendar-date.ts";

function oneTrip(build: Builder, driverId: Owner, on: SQL, way: typeof asc) {
	const { drivenOn, startMiles, endMiles, voidedAt } = mileageLogs;
	return build
		.select({ drivenOn, startMiles, endMiles })
		.from(mileageLogs)
		.where(and(eq(mileageLogs.driverId, driverId), isNull(voidedAt), on))
		.orderBy(way(drivenOn), way(endMiles))
		.limit(1);
}

/** The last trip before a date, the first and the last of it, and the first after it. */
export function selectBeside(build: Builder, driverId: Owner, date: CalendarDate) {
	const { drivenOn } = mileageLogs;
	return {
		before: oneTrip(build, driverId, lt(drivenOn, date), desc),
		firstOfDay: oneTrip(build, driverId, eq(drivenOn, date), asc),
		lastOfDay: oneTrip(build, driverId, eq(drivenOn, date), desc),
		after: oneTrip(build, driverId, gt(drivenOn, date), asc),
	};
}

/** How many days before today are offered if they have no trip. */
const DAYS_OFFERED = 14;

/** The days before today that have no trip, latest first, from the driver's first trip on. */
export function selectMissingDays(build: Builder, driverId: Owner, today: CalendarDate) {
	const ago = Array.from({ length: DAYS_OFFERED }, (_, each) => addDays(today, -1 - each));
	return build.all<{
		day: CalendarDate;
	}>(sql`select value as day from json_each(${JSON.stringify(ago)})
		where not exists (select 1 from mileage_logs
				where driver_id = ${driverId} and driven_on = value and voided_at is null)
			and exists (select 1 from mileage_logs
				where driver_id = ${driverId} and driven_on < value and voided_at is null)
		order by value desc`);
}
