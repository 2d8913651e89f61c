/**
 * What a trip's flags follow from: the driver's other entries that aren't voided. Its neighbors are
 * those before and after it by date, and on one date by their end readings.
 */
import { type SQL, sql } from "drizzle-orm";
import { LIMITS } from "../kernel/fleet-settings.ts";

/** A trip as SQL: a row's columns, or the values of one that isn't stored yet. */
export type JudgedTrip = {
	readonly driverId: SQL;
	readonly drivenOn: SQL;
	readonly start: SQL;
	readonly end: SQL;
	readonly id: SQL;
	/** The entry that it corrects, with which it isn't compared, or null. */
	readonly corrects: SQL;
};

/** A stored entry under a name of the statement. */
export const storedTrip = (name: string): JudgedTrip => ({
	driverId: sql.raw(`${name}.driver_id`),
	drivenOn: sql.raw(`${name}.driven_on`),
	start: sql.raw(`${name}.start_miles`),
	end: sql.raw(`${name}.end_miles`),
	id: sql.raw(`${name}.id`),
	corrects: sql.raw(`${name}.corrects_id`),
});

/** The other entries, as `other`. */
export const isOther = ({ driverId, id, corrects }: JudgedTrip): SQL =>
	sql`other.driver_id = ${driverId} and other.voided_at is null
		and other.id <> ${id} and other.id is not ${corrects}`;

/**
 * The entry on one side of a trip. Without the plus signs SQLite finds another trip's columns by the
 * date alone, and reads all trips of that day.
 * @param column of `other`
 */
export function selectNeighbor(side: "before" | "after", trip: JudgedTrip, column: SQL): SQL {
	const [is, way] = side === "before" ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
	return sql`select ${column} from mileage_logs as other
		where ${isOther(trip)} and (other.driven_on, other.end_miles, other.id)
			${is} (${trip.drivenOn}, +${trip.end}, +${trip.id})
		order by other.driven_on ${way}, other.end_miles ${way}, other.id ${way} limit 1`;
}

/** The longest trip that a setting can exempt from the question. */
const [, MAX_ORDINARY] = LIMITS.tripMiles;

/**
 * The entries whose readings overlap a trip's, in two ranges of one index: ordinary trips start near
 * it, and long ones are few. The setting may have been different when they were logged, but never
 * more than this.
 */
function overlapRanges(trip: JudgedTrip): readonly [ordinary: SQL, long: SQL] {
	const overlaps = sql`${isOther(trip)}
		and other.start_miles < ${trip.end} and other.end_miles > ${trip.start}`;
	return [
		sql`${overlaps} and other.start_miles > ${trip.start} - ${MAX_ORDINARY + 1}`,
		sql`${overlaps} and other.is_long = 1`,
	];
}

/** Whether there are any. */
export function isOverlapped(trip: JudgedTrip): SQL<number> {
	const [ordinary, long] = overlapRanges(trip).map(
		(range) => sql`exists (select 1 from mileage_logs as other where ${range})`,
	);
	return sql`(${ordinary} or ${long})`;
}

/** The miles that are missing before a trip. */
export const gapOf = (start: SQL, endBefore: SQL): SQL =>
	sql`nullif(max(${start} - coalesce(${endBefore}, ${start}), 0), 0)`;

/**
 * Whether a trip was recorded after one of the same date that has higher readings. A correction
 * wasn't if what it corrects came before that one too.
 * @param after the name of the entry after it, which was recorded before it
 */
export const isLate = ({ drivenOn, corrects }: JudgedTrip, after: "other" | "after"): SQL => {
	const entry = storedTrip(after);
	return sql`${entry.drivenOn} is ${drivenOn} and not coalesce((
		select (corrected.driven_on, corrected.end_miles) < (${entry.drivenOn}, ${entry.end})
		from mileage_logs as corrected where corrected.id = ${corrects}), 0)`;
};

/**
 * Whether a trip doesn't fit between its neighbors. A late one does only if it begins or ends where
 * a neighbor does: then it was driven before the others of its date.
 */
export const isMisplaced = (
	{ start, end }: Pick<JudgedTrip, "start" | "end">,
	{ endBefore, startAfter, isLate }: Readonly<Record<"endBefore" | "startAfter" | "isLate", SQL>>,
): SQL<number> =>
	sql`(coalesce(${start} < ${endBefore}, 0) or coalesce(${end} > ${startAfter}, 0)
		or (${isLate} and ${start} is not ${endBefore} and ${end} is not ${startAfter}))`;

/**
 * The ids of the entries whose flags may follow from some others, as their neighbors or by overlap.
 * @param changed matches the others in `mileage_logs`, logged or voided
 */
export function affectedBy(changed: SQL): SQL {
	const place = storedTrip("place");
	const places = sql`(select * from mileage_logs where ${changed}) as place`;
	const beside = (["before", "after"] as const).map(
		(side) => sql`select (${selectNeighbor(side, place, sql`other.id`)}) from ${places}`,
	);
	// What overlaps nothing needs no search; what is voided may have overlapped something until now.
	const overlapping = overlapRanges(place).map(
		(range) => sql`select other.id from ${places} cross join mileage_logs as other
			where (place.voided_at is not null or place.is_overlap = 1) and ${range}`,
	);
	return sql.join([...beside, ...overlapping], sql` union `);
}
