/** The date up to which entries are closed because their years are archived, or about to be. */
import { sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";

/** The last closed date; an empty text, which sorts before every date, if no year is closed. */
export const CLOSED_UNTIL = sql<string>`coalesce((select max(year) || '-12-31' from archived_years), '')`;

/**
 * The first day whose weeks are still worked out: the April 6 after the last closed year, on which a
 * tax year may begin. Before it, not all miles of a tax year are there any more. An empty text if no
 * year is closed.
 */
export const WEEKS_OPEN_FROM = sql<string>`coalesce((select (max(year) + 1) || '-04-06' from archived_years), '')`;

/** The last closed date as a statement for a page's batch. */
export function selectClosedUntil(build: Builder) {
	return build.all<{ closedTo: CalendarDate | "" }>(sql`select ${CLOSED_UNTIL} as closedTo`);
}
export type ClosedUntil = Awaited<ReturnType<typeof selectClosedUntil>>;

/** Whether entries of a date are closed. */
export const isClosed = ([row]: ClosedUntil, date: CalendarDate): boolean =>
	row !== undefined && date <= row.closedTo;
