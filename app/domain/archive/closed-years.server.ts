/** Up to which date entries are closed because their years are archived, or about to be. */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";

/** The last closed date; an empty text, which comes before every date, where no year is closed. */
export const CLOSED_TO = sql<string>`coalesce((select max(year) || '-12-31' from archived_years), '')`;

/** The same as a statement of a page's batch. */
export function selectClosedTo(build: Builder) {
	return build.all<{ closedTo: CalendarDate | "" }>(sql`select ${CLOSED_TO} as closedTo`);
}
export type ClosedTo = Awaited<ReturnType<typeof selectClosedTo>>;

/** Whether entries of a date are closed. */
export const isClosed = ([row]: ClosedTo, date: CalendarDate): boolean =>
	row !== undefined && date <= row.closedTo;
