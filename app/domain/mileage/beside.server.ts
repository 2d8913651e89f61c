/** The driver's trips on both sides of a date, and the dates that have none. */
import { and, asc, desc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { Owner } from "../../db/owner.server.ts";
import { mileageLogs } from "../../db/schema.ts";
import { addDays, type CalendarDate, weekdayOf } from "../../values/calendar-date.ts";

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
/** How many of them the dashboard lists. */
const DAYS_LISTED = 5;

export const daysOffered = (today: CalendarDate) =>
	Array.from({ length: DAYS_OFFERED }, (_, each) => addDays(today, -1 - each));

/** Whether a `day` has no trip, and the driver's first trip was before it. */
export const isMissing = (driverId: Owner) => sql`(day > (select driven_on from mileage_logs
		where driver_id = ${driverId} and voided_at is null order by driven_on limit 1)
	and not exists (select 1 from mileage_logs
		where driver_id = ${driverId} and driven_on = day and voided_at is null))`;

/** Whether a `day` is a day off: a trip logged since undoes it, even if it is voided later. */
export const isDayOff = (driverId: Owner) => sql`exists (select 1
	from json_each((select days_off from users where id = ${driverId})) as said
	where said.key = day and not exists (select 1 from mileage_logs
		where driver_id = ${driverId} and driven_on = day and created_at >= said.value))`;

/** Some days as rows. */
const rowsOf = (days: readonly CalendarDate[]) =>
	sql`(select value as day from json_each(${JSON.stringify(days)}))`;

/** Whether each of these days is a day off. */
export const areDaysOff = (driverId: Owner, days: readonly CalendarDate[]) =>
	sql`not exists (select 1 from ${rowsOf(days)} where not ${isDayOff(driverId)})`;

/** The days before today that have no trip, latest first, from the driver's first trip on. */
export const selectMissingDays = (build: Builder, driverId: Owner, today: CalendarDate) =>
	build.all<{ day: CalendarDate }>(sql`select day from ${rowsOf(daysOffered(today))}
		where ${isMissing(driverId)} order by day desc`);

/** The latest weekdays among them that aren't days off. */
export function selectUnloggedDays(build: Builder, driverId: Owner, today: CalendarDate) {
	const weekdays = daysOffered(today).filter((day) => weekdayOf(day) % 6 !== 0);
	return build.all<{ day: CalendarDate }>(sql`select day from ${rowsOf(weekdays)}
		where ${isMissing(driverId)} and not ${isDayOff(driverId)}
		order by day desc limit ${DAYS_LISTED}`);
}
