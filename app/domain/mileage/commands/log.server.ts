import { sql } from "drizzle-orm";
import { mileageLogs } from "../../../db/schema.ts";
import { computeFingerprint } from "../../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { CLOSED_UNTIL } from "../../archive/closed-years.server.ts";
import type { DriverContext } from "../../context.ts";
import { createOnce } from "../../create-once.server.ts";
import { LIMITS } from "../../settings/definitions.ts";
import type { LogMileage } from "../input.ts";
import { isCorrectable, type MileageLog, voidAudit } from "../rows.server.ts";
import { type Check, CORRECTED, MAX_PER_HOUR } from "../rules.ts";

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

/** The longest trip that a setting can exempt from the question. */
const [, MAX_ORDINARY] = LIMITS.tripMiles;

/** The driver's other entries that a trip is compared with. */
function selectFacts(trip: LogMileage, { user, now }: DriverContext) {
	const { startOdometer: start, endOdometer: end, correctsId } = trip;
	// An entry isn't compared with its own correction.
	const others = sql`driver_id = ${user.id} and voided_at is null
		and id is not ${correctsId ?? null}`;
	return {
		isClosed: sql<number>`${trip.date} <= ${CLOSED_UNTIL}`,
		isDuplicate: sql<number>`exists (select 1 from mileage_logs where ${others}
			and driven_on = ${trip.date} and start_miles = ${start} and end_miles = ${end})`,
		lastEnding: sql<number | null>`(select end_miles from mileage_logs
			where ${others} and driven_on <= ${trip.date}
			order by driven_on desc, end_miles desc limit 1)`,
		nextStart: sql<number | null>`(select start_miles from mileage_logs
			where ${others} and driven_on > ${trip.date} order by driven_on, end_miles limit 1)`,
		// Two ranges of one index: ordinary trips start near this one, and long ones are few. The
		// setting may have been different when they were logged, but never more than this.
		isOverlap: sql<number>`(exists (select 1 from mileage_logs where ${others}
				and start_miles > ${start - MAX_ORDINARY - 1} and start_miles < ${end}
				and end_miles > ${start})
			or exists (select 1 from mileage_logs where ${others}
				and is_long = 1 and start_miles < ${end} and end_miles > ${start}))`,
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
	const payload = [trip.date, start, end, trip.notes ?? null, correctsId ?? null];
	const isConfirmed = source !== "form" || trip.confirm === (await computeFingerprint(payload));
	const isLong = end - start > driver.settings.longTripMiles;
	const looksRight = sql`not isOverlap and coalesce(${start} >= lastEnding, 1)
		and not ${isLong ? 1 : 0}`;
	const created = await createOnce(driver, {
		table: mileageLogs,
		id,
		creator: mileageLogs.driverId,
		key: trip.key,
		payload,
		facts: selectFacts(trip, driver),
		accepts: sql`not isClosed and not isDuplicate and lately < ${MAX_PER_HOUR} and isCorrectable
			${isConfirmed ? sql`` : sql`and ${looksRight}`}`,
		values: {
			driverId: user.id,
			drivenOn: trip.date,
			startMiles: start,
			endMiles: end,
			notes: trip.notes,
			source,
			createdAt: now,
			capturedAt,
			gapMiles: sql`nullif(max(${start} - coalesce(lastEnding, ${start}), 0), 0)`,
			isOverlap: sql`isOverlap`,
			isOutOfOrder: sql`coalesce(${start} < lastEnding, 0)
				or coalesce(${end} > nextStart, 0)`,
			isLong,
			correctsId,
		},
		audit: {
			action: "mileage.log",
			entity: "mileage-log",
			after: sql`json_object('date', driven_on, 'start', start_miles, 'end', end_miles)`,
		},
		replaces: correctsId
			? {
					id: correctsId,
					when: isCorrectable(user.id, now),
					set: { voidedAt: now, voidedBy: user.id, voidReason: CORRECTED },
					audit: voidAudit(now, CORRECTED),
				}
			: undefined,
		read: (build, rows) => build.select().from(mileageLogs).where(rows),
	});
	switch (created.kind) {
		case "created":
		case "replayed":
			return done({ log: created.row, isReplay: created.kind === "replayed" });
		case "key-reused":
			return refused("key-reused", created.row);
		case "refused": {
			const { isClosed, isCorrectable, isDuplicate, lately, isOverlap, lastEnding } = created.facts;
			if (isClosed) return refused("closed-year");
			if (!isCorrectable) return refused("not-to-correct");
			if (isDuplicate) return refused("already-logged");
			if (lately >= MAX_PER_HOUR) return refused("too-many");
			const checks: Check[] = [];
			if (isOverlap) checks.push({ kind: "overlap" });
			if (lastEnding !== null && start < lastEnding)
				checks.push({ kind: "below-last", lastEnding });
			if (isLong) checks.push({ kind: "long", miles: end - start });
			return refused("check", { checks, confirm: created.payloadHash });
		}
	}
}
