import { type SQL, sql } from "drizzle-orm";
import { mileageLogs } from "../../../db/schema.ts";
import type { CalendarDate } from "../../../values/calendar-date.ts";
import { computeFingerprint } from "../../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { CLOSED_UNTIL } from "../../archive/closed-years.server.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { MAX_TRIPS_PER_HOUR } from "../../kernel/limits.ts";
import { filledIn, typedValues } from "../../kernel/record.ts";
import {
	gapOf,
	isLate,
	isMisplaced,
	isOther,
	isOverlapped,
	type JudgedTrip,
	selectNeighbor,
} from "../flags.server.ts";
import type { LogMileage } from "../input.ts";
import { TRIP } from "../record.ts";
import { AUDITED, isCorrectable, type MileageLog, voidAudit } from "../rows.server.ts";
import { type Check, CORRECTED } from "../rules.ts";
import { refreshFlags } from "./refresh-flags.server.ts";

/** How a trip was sent: only an interactive form asks about suspicious values. */
export type MileageSource = "form" | "json" | "outbox";

export type LogMileageResult = {
	readonly log: MileageLog;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};
export type MileageRefusal =
	| Refused<"already-logged">
	| Refused<"key-reused", MileageLog>
	| Refused<"check", { readonly checks: readonly Check[]; readonly confirm: string }>
	| Refused<"too-many">
	| Refused<"closed-year">
	| Refused<"not-to-correct">;

/** The driver's other entries that a trip is compared with. */
function selectFacts(trip: LogMileage, id: string, { user, now }: DriverContext) {
	const { date, startOdometer: start, endOdometer: end, correctsId } = trip;
	const judged: JudgedTrip = {
		driverId: sql`${user.id}`,
		drivenOn: sql`${date}`,
		start: sql`${start}`,
		end: sql`${end}`,
		id: sql`${id}`,
		corrects: sql`${correctsId ?? null}`,
	};
	const after = (column: SQL) => sql`(${selectNeighbor("after", judged, column)})`;
	return {
		isClosed: sql<number>`${date} <= ${CLOSED_UNTIL}`,
		isDuplicate: sql<number>`exists (select 1 from mileage_logs
			where driver_id = ${user.id} and voided_at is null and id is not ${correctsId ?? null}
				and driven_on = ${date} and start_miles = ${start} and end_miles = ${end})`,
		endBefore: sql<number | null>`(${selectNeighbor("before", judged, sql`other.end_miles`)})`,
		startAfter: sql<number | null>`${after(sql`other.start_miles`)}`,
		dayAfter: sql<CalendarDate | null>`${after(sql`other.driven_on`)}`,
		isLate: sql<number>`coalesce(${after(isLate(judged, "other"))}, 0)`,
		/** The reading that the form's question names. */
		lastEnding: sql<number | null>`(select other.end_miles from mileage_logs as other
			where ${isOther(judged)} and other.driven_on <= ${date}
			order by other.driven_on desc, other.end_miles desc limit 1)`,
		isOverlap: isOverlapped(judged),
		lately: sql<number>`(select count(*) from mileage_logs
			where driver_id = ${user.id} and created_at > ${now - 3_600_000})`,
		isCorrectable: correctsId
			? sql<number>`exists (select 1 from mileage_logs
				where id = ${correctsId} and ${isCorrectable(user.id, now)})`
			: sql<number>`1`,
	};
}

/**
 * Logs a trip, or returns the result of the same submission. With `correctsId` the named entry is
 * voided in the same step. Exact duplicates of a live entry are refused; an interactive form must
 * also confirm what looks like a mistake.
 * @param capturedAt when the phone captured it, if it waited there
 */
export async function logMileage(
	driver: DriverContext,
	trip: LogMileage,
	source: MileageSource,
	capturedAt?: number,
): Promise<Outcome<LogMileageResult, MileageRefusal>> {
	const { user, now } = driver;
	const { startOdometer: start, endOdometer: end, correctsId } = trip;
	const id = crypto.randomUUID();
	const typed = typedValues(TRIP, trip);
	const payload = payloadOf(typed, correctsId);
	const isConfirmed = source !== "form" || trip.confirm === (await computeFingerprint(payload));
	const isLong = end - start > driver.settings.longTripMiles;
	const [startMiles, endMiles, endBefore] = [sql`${start}`, sql`${end}`, sql`endBefore`];
	const isOutOfOrder = isMisplaced(
		{ start: startMiles, end: endMiles },
		{ endBefore, startAfter: sql`startAfter`, isLate: sql`isLate` },
	);
	const looksRight = sql`not isOverlap and not ${isOutOfOrder} and not ${isLong ? 1 : 0}`;
	const created = await createOnce(driver, {
		table: mileageLogs,
		id,
		creator: mileageLogs.driverId,
		key: trip.key,
		payload,
		facts: selectFacts(trip, id, driver),
		accepts: sql`not isClosed and not isDuplicate and lately < ${MAX_TRIPS_PER_HOUR} and isCorrectable
			${isConfirmed ? sql`` : sql`and ${looksRight}`}`,
		values: {
			driverId: user.id,
			...typed,
			source,
			createdAt: now,
			capturedAt,
			gapMiles: gapOf(startMiles, endBefore),
			isOverlap: sql`isOverlap`,
			isOutOfOrder,
			isLong,
			correctsId,
		},
		audit: {
			action: "mileage.log",
			entity: "mileage-log",
			after: AUDITED,
		},
		replaces: correctsId
			? {
					id: correctsId,
					when: isCorrectable(user.id, now),
					set: { voidedAt: now, voidedBy: user.id, voidReason: CORRECTED },
					audit: voidAudit(now, CORRECTED),
				}
			: undefined,
		next: (made) =>
			refreshFlags(
				driver.db.build,
				correctsId
					? sql`id in (${id}, ${correctsId}) and exists (select 1 from mileage_logs where ${made})`
					: made,
			),
		read: (build, rows) => build.select().from(mileageLogs).where(rows),
	});
	switch (created.kind) {
		case "created":
		case "replayed":
			return done({ log: created.row, isReplay: created.kind === "replayed" });
		case "key-reused":
			return refused("key-reused", created.row);
		case "refused": {
			const { isClosed, isCorrectable, isDuplicate, lately } = created.facts;
			if (isClosed) return refused("closed-year");
			if (!isCorrectable) return refused("not-to-correct");
			if (isDuplicate) return refused("already-logged");
			if (lately >= MAX_TRIPS_PER_HOUR) return refused("too-many");
			const checks = checksOf(trip, created.facts);
			if (isLong) checks.push({ kind: "long", miles: end - start });
			return refused("check", { checks, confirm: created.payloadHash });
		}
	}
}

/** What makes two submissions the same. */
function payloadOf(typed: ReturnType<typeof typedValues>, correctsId: string | undefined) {
	const { drivenOn = null, startMiles = null, endMiles = null, notes = null, ...later } = typed;
	return [drivenOn, startMiles, endMiles, notes, correctsId ?? null, ...filledIn(later)];
}

/** What the database says about a trip's neighbors. */
type Neighbors = {
	readonly isOverlap: number;
	readonly isLate: number;
	readonly endBefore: number | null;
	readonly lastEnding: number | null;
	readonly startAfter: number | null;
	readonly dayAfter: CalendarDate | null;
};

/** How a trip doesn't fit between the driver's others. */
function checksOf(
	{ startOdometer: start, endOdometer: end }: LogMileage,
	{ isOverlap, isLate, endBefore, lastEnding, startAfter, dayAfter }: Neighbors,
): Check[] {
	const checks: Check[] = [];
	if (isOverlap) checks.push({ kind: "overlap" });
	const isUnjoined = start !== endBefore && end !== startAfter;
	const isBelow = endBefore !== null && start < endBefore;
	if (lastEnding !== null && (isBelow || (isLate && isUnjoined)))
		checks.push({ kind: "below-last", lastEnding });
	if (!isOverlap && startAfter !== null && dayAfter !== null && end > startAfter)
		checks.push({ kind: "above-next", startAfter, on: dayAfter });
	return checks;
}
