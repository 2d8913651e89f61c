/**
 * Reading lists of entries that reach into closed years: from the database first, then from the
 * archive. Read in this order, an entry that is being moved is in one answer at least; one that is
 * in both is taken once.
 */
import { eq } from "drizzle-orm";
import type { Database } from "../../db/client.server.ts";
import { mileageLogs } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import type { AuthenticatedContext } from "../context.ts";
import { type ClosedTo, isClosed, selectClosedTo } from "./closed-years.server.ts";

/** Where an entry stands in a list. */
type Place = { readonly id: string; readonly drivenOn: CalendarDate; readonly endMiles?: number };

/** One page of a list, and how its list goes. */
export type PageOfEntries<Row> = {
	/** What the database has of it. */
	readonly rows: readonly Row[];
	readonly limit: number;
	/** The earliest date that the list can have; absent where it has no beginning. */
	readonly from: CalendarDate | undefined;
	/** The latest first. */
	readonly isDescending: boolean;
	readonly placeOf: (row: Row) => Place;
};

/**
 * A page with what the archive has of it. The archive is asked only when the page reaches into a
 * closed year.
 * @param read the same page of the archive
 */
export async function withArchived<Row>(
	{ archive }: Pick<AuthenticatedContext, "archive">,
	closed: ClosedTo,
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
	const { closed } = await db.batch({ closed: selectClosedTo(db.build) });
	if (!closed[0]?.closedTo) return false;
	const { found } = await archive.batch({
		found: db.build.select({ id: mileageLogs.id }).from(mileageLogs).where(eq(mileageLogs.id, id)),
	});
	return found.length > 0;
}
