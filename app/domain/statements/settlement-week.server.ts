/** A week in SQL, for statements that run before the fleet's settings are known. */
import { type SQL, sql } from "drizzle-orm";

const STARTS_ON = sql`coalesce((select iif(chosen ->> 'weekStartsOn' = 'sunday', 'weekday 0', null)
	from settings where id = 'fleet'), 'weekday 1')`;

/** The first day of the week that a day is in: its latest starting weekday. */
export const firstDayOfWeek = (day: SQL | string): SQL =>
	sql`date(${day}, '-6 days', ${STARTS_ON})`;
