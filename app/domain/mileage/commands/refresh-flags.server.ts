/**
 * The flags that change with another trip: when one is logged or voided, its neighbors and the trips
 * whose readings overlap it are judged again, in the same batch.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Builder, Statement } from "../../../db/client.server.ts";
import { CLOSED_UNTIL } from "../../archive/closed-years.server.ts";
import {
	affectedBy,
	gapOf,
	isLate,
	isMisplaced,
	isOverlapped,
	selectNeighbor,
	storedTrip,
} from "../flags.server.ts";

/**
 * Judges again what a change of some entries affects. Entries of closed years stay as they are.
 * @param changed matches the entries of `mileage_logs` that were just logged or voided
 */
export function refreshFlags(build: Builder, changed: SQL): Readonly<Record<string, Statement>> {
	const trip = storedTrip("trip");
	const late = sql`${isLate(trip, "after")}
		and (after.created_at, after.rowid) < (trip.created_at, trip.rowid)`;
	const [endBefore, startAfter] = [sql`before.end_miles`, sql`after.start_miles`];
	return {
		flags: build.run(sql`update mileage_logs
			set gap_miles = fresh.gap, is_out_of_order = fresh.is_misplaced, is_overlap = fresh.overlaps
			from (select trip.id as trip_id, ${gapOf(trip.start, endBefore)} as gap,
					${isMisplaced(trip, { endBefore, startAfter, isLate: late })} as is_misplaced,
					${isOverlapped(trip)} as overlaps
				from mileage_logs as trip
				left join mileage_logs as before
					on before.id = (${selectNeighbor("before", trip, sql`other.id`)})
				left join mileage_logs as after
					on after.id = (${selectNeighbor("after", trip, sql`other.id`)})
				where trip.id in (${affectedBy(changed)})) as fresh
			where id = fresh.trip_id and driven_on > ${CLOSED_UNTIL} and (gap_miles is not fresh.gap
				or is_out_of_order <> fresh.is_misplaced or is_overlap <> fresh.overlaps)`),
	};
}
