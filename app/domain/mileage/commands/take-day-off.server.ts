import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import type { CalendarDate } from "../../../values/calendar-date.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { daysOffered, isDayOff, isMissing } from "../beside.server.ts";

export type DayOffRefusal = Refused<"not-missing">;

/**
 * Remembers that a day without a trip was a day off. Logging a trip for it undoes that; days that
 * are no longer offered are forgotten.
 */
export async function takeDayOff(
	driver: DriverContext,
	date: CalendarDate,
): Promise<Outcome<null, DayOffRefusal>> {
	const { user, now, today } = driver;
	const offered = daysOffered(today);
	const me = sql<string>`${user.id}`;
	const said = sql`json_set(coalesce(${users.daysOff}, '{}'), ${`$."${date}"`}, ${now})`;
	const { changed, rows } = await transition(driver, {
		table: users,
		rows: eq(users.id, user.id),
		when: sql`exists (select 1 from (select ${date} as day)
			where ${offered.includes(date) ? 1 : 0} and ${isMissing(me)} and not ${isDayOff(me)})`,
		set: {
			daysOff: sql`(select json_group_object(key, value) from json_each(${said})
				where key >= ${offered.at(-1)})`,
		},
		audit: { action: "mileage.day-off", entity: "user", after: sql`json_object('date', ${date})` },
		read: (build) =>
			build.all<{ isOff: number }>(
				sql`select ${isDayOff(me)} as isOff from (select ${date} as day)`,
			),
	});
	return changed.size > 0 || rows[0]?.isOff ? done(null) : refused("not-missing");
}
