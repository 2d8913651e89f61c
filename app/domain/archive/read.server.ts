/**
 * Reads lists that include closed years: first from the database, then from the archive. In this
 * order an entry that is being moved is in at least one result; one that is in both is used once.
 */
import { eq } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { mileageLogs } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { AuthenticatedContext } from "../kernel/context.ts";
import { type ClosedUntil, isClosed, selectClosedUntil } from "./closed-years.server.ts";

/** An entry's position in a list. */
type Place = { readonly id: string; readonly drivenOn: CalendarDate; readonly endMiles?: number };

/** A page of a list, and the list's order. */
export type PageOfEntries<Row> = {
	/** The database's part of the page. */
	readonly rows: readonly Row[];
	readonly limit: number;
	/** The earliest date in the list; absent if it is open. */
	readonly from: CalendarDate | undefined;
	/** Whether the latest comes first. */
	readonly isDescending: boolean;
	readonly placeOf: (row: Row) => Place;
};

/**
 * Completes a page from the archive, which is read only if the page reaches into a closed year.
 * @param read the same page of the archive
 */
export async function withArchived<Row>(
	{ archive }: Pick<AuthenticatedContext, "archive">,
	closed: ClosedUntil,
	page: PageOfEntries<Row>,
	read: (archive: Database) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
	const { rows, limit, isDescending, placeOf } = page;
	const last = rows.at(-1);
	const isFull = last !== undefined && rows.length >= limit;
	const isBeyond = isFull && isDescending && !isClosed(closed, placeOf(last).drivenOn);
	const reaches = closed.some(({ closedTo }) => closedTo !== "" && closedTo >= (page.from ?? ""));
	if (limit === 0 || isBeyond || !reaches) return rows;
	const known = new Set(rows.map((row) => placeOf(row).id));
	const archived = (await read(archive)).filter((row) => !known.has(placeOf(row).id));
	const sign = isDescending ? -1 : 1;
	return [...rows, ...archived]
		.sort((one, other) => sign * compare(placeOf(one), placeOf(other)))
		.slice(0, limit);
}

function compare(one: Place, other: Place): number {
	if (one.drivenOn !== other.drivenOn) return one.drivenOn < other.drivenOn ? -1 : 1;
	const [ending = 0, otherEnding = 0] = [one.endMiles, other.endMiles];
	if (ending !== otherEnding) return ending - otherEnding;
	return one.id < other.id ? -1 : 1;
}

/** Whether the archive has an entry of this id. */
export async function isArchived(
	{ db, archive }: Pick<AuthenticatedContext, "db" | "archive">,
	id: string,
): Promise<boolean> {
	const { closed } = await db.batch({ closed: selectClosedUntil(db.build) });
	if (!closed[0]?.closedTo) return false;
	const { found } = await archive.batch({
		found: db.build.select({ id: mileageLogs.id }).from(mileageLogs).where(eq(mileageLogs.id, id)),
	});
	return found.length > 0;
}
