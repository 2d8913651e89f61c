/** Logging a day, voiding an entry, correcting one. Each is one batch: what is true when it decides is true when it writes. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { mileageLogs } from "../../db/schema.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { AdminContext, DriverContext } from "../context.ts";
import { isStillAdmin } from "../users/standing.server.ts";
import type { LogMileage, VoidMileageAsAdmin } from "./input.ts";
import { oneEntry, type ReviewedLog } from "./review.server.ts";
import { type Check, LONG_TRIP_MILES, MOST_AN_HOUR, OWN_VOID_MS } from "./rules.ts";

type Log = typeof mileageLogs.$inferSelect;

/** How a trip came in: only an interactive form is asked about what looks wrong; the others are accepted and flagged. */
export type MileageSource = "form" | "json" | "outbox";

export type Logged = {
	readonly log: Log;
	/** The same submission was taken before: this is its result. */
	readonly isReplay: boolean;
};
export type MileageRefusal =
	| Refused<"already-logged">
	| Refused<"key-reused", Log>
	| Refused<"check", { readonly checks: readonly Check[]; readonly confirm: string }>
	| Refused<"too-many">
	| Refused<"not-to-correct">
	| Refused<"no-longer-active">;

/** What the driver's other entries say about a trip; one row. */
type Facts = {
	replayHash: string | null;
	isDuplicate: number;
	lastEnding: number | null;
	nextStart: number | null;
	isOverlap: number;
	lately: number;
	isMendable: number;
	isActive: number;
};

function factsSql({ user, now }: DriverContext, trip: LogMileage): SQL {
	// An entry that is being corrected is not held against its correction.
	const others = sql`driver_id = ${user.id} and voided_at is null and id is not ${trip.correctsId ?? null}`;
	return sql`(select
		(select payload_hash from mileage_logs where driver_id = ${user.id} and submission_key = ${trip.key ?? null}) as replayHash,
		exists (select 1 from mileage_logs where ${others} and driven_on = ${trip.date} and start_miles = ${trip.startOdometer} and end_miles = ${trip.endOdometer}) as isDuplicate,
		(select end_miles from mileage_logs where ${others} and driven_on <= ${trip.date} order by driven_on desc, end_miles desc limit 1) as lastEnding,
		(select start_miles from mileage_logs where ${others} and driven_on > ${trip.date} order by driven_on, end_miles limit 1) as nextStart,
		(exists (select 1 from mileage_logs where ${others} and start_miles > ${trip.startOdometer - LONG_TRIP_MILES - 1} and start_miles < ${trip.endOdometer} and end_miles > ${trip.startOdometer})
			or exists (select 1 from mileage_logs where ${others} and is_long = 1 and start_miles < ${trip.endOdometer} and end_miles > ${trip.startOdometer})) as isOverlap,
		(select count(*) from mileage_logs where driver_id = ${user.id} and created_at > ${now - 3_600_000}) as lately,
		${trip.correctsId ? sql`exists (select 1 from mileage_logs where id = ${trip.correctsId} and ${mendable(user.id, now)})` : sql`1`} as isMendable,
		exists (select 1 from users where id = ${user.id} and is_active = 1 and approval_status = 'approved') as isActive)`;
}

const mendable = (driverId: string, now: number) =>
	sql`driver_id = ${driverId} and voided_at is null and created_at > ${now - OWN_VOID_MS}`;

/**
 * Logs a trip, or answers the result of the same submission again. With `correctsId` the named entry is voided in the same step.
 * Exact duplicates of a live entry are refused; on an interactive form so is, until it is confirmed, what looks like a slip.
 * @param capturedAt when the phone captured it, if it waited there
 */
export async function logMileage(
	driver: DriverContext,
	trip: LogMileage,
	source: MileageSource,
	capturedAt?: number,
): Promise<Outcome<Logged, MileageRefusal>> {
	const { db, user, now } = driver;
	const { build } = db;
	const id = crypto.randomUUID();
	const payloadHash = await fingerprintOf([trip.date, trip.startOdometer, trip.endOdometer, trip.notes ?? null, trip.correctsId ?? null]);
	const isLong = trip.endOdometer - trip.startOdometer > LONG_TRIP_MILES;
	const isAsked = source === "form" && trip.confirm !== payloadHash;
	const facts = factsSql(driver, trip);
	const isAccepted = sql`replayHash is null and not isDuplicate and lately < ${MOST_AN_HOUR} and isMendable and isActive
		${isAsked ? sql`and not isOverlap and coalesce(${trip.startOdometer} >= lastEnding, 1) and not ${isLong ? 1 : 0}` : sql``}`;
	const corrected = trip.correctsId
		? sql`${mileageLogs.id} = ${trip.correctsId} and ${mendable(user.id, now)} and exists (select 1 from ${facts} where ${isAccepted})`
		: undefined;

	const answers = await db.batch({
		facts: build.all<Facts>(sql`select * from ${facts}`),
		...(corrected
			? {
					correctionAudit: voidAudit(driver, corrected, "Corrected"),
					correction: build
						.update(mileageLogs)
						.set({ voidedAt: now, voidedBy: user.id, voidReason: "Corrected", lastChangeId: id })
						.where(corrected),
				}
			: {}),
		insert: build.run(sql`
			insert into mileage_logs (id, driver_id, driven_on, start_miles, end_miles, notes, source, created_at, captured_at, gap_miles, is_overlap, is_out_of_order, is_long, corrects_id, submission_key, payload_hash, last_change_id)
			select ${id}, ${user.id}, ${trip.date}, ${trip.startOdometer}, ${trip.endOdometer}, ${trip.notes ?? null}, ${source}, ${now}, ${capturedAt ?? null},
				nullif(max(${trip.startOdometer} - coalesce(lastEnding, ${trip.startOdometer}), 0), 0), isOverlap,
				coalesce(${trip.startOdometer} < lastEnding, 0) or coalesce(${trip.endOdometer} > nextStart, 0),
				${isLong ? 1 : 0}, ${trip.correctsId ?? null}, ${trip.key ?? null}, ${payloadHash}, ${id}
			from ${corrected ? afterVoid(facts, trip.correctsId ?? "", id) : facts} where ${isAccepted}
			on conflict do nothing`),
		audit: auditStatement(
			build,
			actorOf(driver),
			{ action: "mileage.log", entity: "mileage-log", after: sql`json_object('date', driven_on, 'start', start_miles, 'end', end_miles)` },
			mileageLogs,
			eq(mileageLogs.id, id),
		),
		made: build.select().from(mileageLogs).where(eq(mileageLogs.id, id)),
		earlier: build
			.select()
			.from(mileageLogs)
			.where(and(eq(mileageLogs.driverId, user.id), sql`${mileageLogs.submissionKey} = ${trip.key ?? null}`)),
	});

	const made = answers.made[0];
	if (made) return done({ log: made, isReplay: false });
	const earlier = answers.earlier[0];
	if (earlier) return earlier.payloadHash === payloadHash ? done({ log: earlier, isReplay: true }) : refused("key-reused", earlier);
	const seen = answers.facts[0];
	if (!seen?.isActive) return refused("no-longer-active");
	if (!seen.isMendable) return refused("not-to-correct");
	if (seen.isDuplicate) return refused("already-logged");
	if (seen.lately >= MOST_AN_HOUR) return refused("too-many");
	const checks: Check[] = [
		...(seen.isOverlap ? [{ kind: "overlap" } as const] : []),
		...(seen.lastEnding !== null && trip.startOdometer < seen.lastEnding
			? [{ kind: "below-last", lastEnding: seen.lastEnding } as const]
			: []),
		...(isLong ? [{ kind: "long", miles: trip.endOdometer - trip.startOdometer } as const] : []),
	];
	return refused("check", { checks, confirm: payloadHash });
}

/** The facts as they are once the corrected entry is voided: it no longer is mendable, it was by this very change. */
function afterVoid(facts: SQL, correctsId: string, changeId: string): SQL {
	return sql`(select replayHash, isDuplicate, lastEnding, nextStart, isOverlap, lately, isActive,
		exists (select 1 from mileage_logs where id = ${correctsId} and last_change_id = ${changeId}) as isMendable from ${facts})`;
}

function voidAudit(context: DriverContext | AdminContext, condition: SQL, reason: string | undefined) {
	return auditStatement(
		context.db.build,
		actorOf(context),
		{
			action: "mileage.void",
			entity: "mileage-log",
			before: sql`json_object('date', driven_on, 'start', start_miles, 'end', end_miles)`,
			after: sql`json_object('voidedAt', ${context.now})`,
			reason,
		},
		mileageLogs,
		condition,
	);
}

/** Voids one of the driver's own entries within seven days: it stays visible and counts for nothing. */
export async function voidMileage(
	driver: DriverContext,
	id: string,
): Promise<Outcome<Log, Refused<"not-found"> | Refused<"too-late"> | Refused<"already-voided">>> {
	const { db, user, now } = driver;
	const changeId = crypto.randomUUID();
	const condition = sql`${mileageLogs.id} = ${id} and ${mendable(user.id, now)}`;
	const { row } = await db.batch({
		audit: voidAudit(driver, condition, undefined),
		change: db.build.update(mileageLogs).set({ voidedAt: now, voidedBy: user.id, lastChangeId: changeId }).where(condition),
		row: ownRow(db.build, user.id, id),
	});
	const log = row[0];
	if (!log) return refused("not-found");
	if (log.lastChangeId === changeId) return done(log);
	return refused(log.voidedAt === null ? "too-late" : "already-voided");
}

function ownRow(build: Builder, driverId: string, id: string) {
	return build
		.select()
		.from(mileageLogs)
		.where(and(eq(mileageLogs.id, id), eq(mileageLogs.driverId, driverId)));
}

/**
 * Voids anybody's entry, however old, with a reason that its driver will read. Nobody who was deactivated since the guard let him in does;
 * the loser of a race is told who was first.
 */
export async function voidMileageAsAdmin(
	admin: AdminContext,
	{ id, reason }: VoidMileageAsAdmin,
): Promise<Outcome<ReviewedLog, Refused<"not-found"> | Refused<"already-voided", ReviewedLog> | Refused<"no-longer-admin">>> {
	const { db, user, now } = admin;
	const changeId = crypto.randomUUID();
	const condition = sql`${mileageLogs.id} = ${id} and ${mileageLogs.voidedAt} is null
		and ${isStillAdmin(admin)}`;
	const { rows } = await db.batch({
		audit: voidAudit(admin, condition, reason),
		change: db.build
			.update(mileageLogs)
			.set({ voidedAt: now, voidedBy: user.id, voidReason: reason, lastChangeId: changeId })
			.where(condition),
		rows: oneEntry(db.build, id),
	});
	const row = rows[0];
	if (!row) return refused("not-found");
	if (row.log.lastChangeId === changeId) return done(row);
	return row.log.voidedAt === null ? refused("no-longer-admin") : refused("already-voided", row);
}
