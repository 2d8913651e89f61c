/** Adding and deleting Uber fees. Each is one batch: what is true when it decides is true when it writes. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { uberFees } from "../../db/schema.ts";
import { fingerprintOf } from "../../values/fingerprint.ts";
import { done, type Outcome, type Refused, refused } from "../../values/outcome.ts";
import { actorOf } from "../audit/actor.ts";
import { auditStatement } from "../audit/commands.server.ts";
import type { AdminContext } from "../context.ts";
import { isStillAdmin } from "../users/standing.server.ts";
import type { AddFee } from "./input.ts";
import type { FeeWithDriver } from "./json.ts";
import { feesWithDrivers } from "./queries.server.ts";

export type Added = {
	readonly row: FeeWithDriver;
	/** The same submission was taken before: this is its result. */
	readonly isReplay: boolean;
};
export type AddRefusal = Refused<"key-reused"> | Refused<"no-such-driver"> | Refused<"not-to-replace"> | Refused<"no-longer-admin">;

type Facts = { replayHash: string | null; isDriver: number; isReplaceable: number; isAdmin: number };

function factsSql(admin: AdminContext, input: AddFee): SQL {
	return sql`(select
		(select payload_hash from uber_fees where added_by = ${admin.user.id} and submission_key = ${input.key ?? null}) as replayHash,
		exists (select 1 from users where id = ${input.driverId} and role = 'driver' and approval_status = 'approved' and deleted_at is null) as isDriver,
		${input.replacesId ? sql`exists (select 1 from uber_fees where id = ${input.replacesId} and deleted_at is null)` : sql`1`} as isReplaceable,
		${isStillAdmin(admin)} as isAdmin)`;
}

/**
 * Adds a fee in the name of the administrator who asks, or answers the result of the same submission again.
 * With `replacesId` the named fee is deleted in the same step.
 */
export async function addFee(admin: AdminContext, input: AddFee): Promise<Outcome<Added, AddRefusal>> {
	const { db, user, now } = admin;
	const { build } = db;
	const id = crypto.randomUUID();
	const payloadHash = await fingerprintOf([
		input.driverId,
		input.category,
		input.amount,
		input.date,
		input.referenceNumber ?? null,
		input.description ?? null,
		input.replacesId ?? null,
	]);
	const facts = factsSql(admin, input);
	const isAccepted = sql`replayHash is null and isDriver and isReplaceable and isAdmin`;
	const replaced = input.replacesId
		? sql`${uberFees.id} = ${input.replacesId} and ${uberFees.deletedAt} is null and exists (select 1 from ${facts} where ${isAccepted})`
		: undefined;

	const answers = await db.batch({
		facts: build.all<Facts>(sql`select * from ${facts}`),
		...(replaced
			? {
					replaceAudit: deletionAudit(admin, replaced, "Replaced"),
					replace: build.update(uberFees).set({ deletedAt: now, deletedBy: user.id, lastChangeId: id }).where(replaced),
				}
			: {}),
		insert: build.run(sql`
			insert into uber_fees (id, driver_id, category, amount_cents, charged_on, reference_number, description, added_by, created_at, replaces_id, submission_key, payload_hash, last_change_id)
			select ${id}, ${input.driverId}, ${input.category}, ${input.amount}, ${input.date}, ${input.referenceNumber ?? null}, ${input.description ?? null},
				${user.id}, ${now}, ${input.replacesId ?? null}, ${input.key ?? null}, ${payloadHash}, ${id}
			from ${replaced ? afterDeletion(facts, input.replacesId ?? "", id) : facts} where ${isAccepted}
			on conflict do nothing`),
		audit: auditStatement(build, actorOf(admin), { action: "fee.add", entity: "uber-fee", after: VALUES }, uberFees, eq(uberFees.id, id)),
		made: feesWithDrivers(build).where(eq(uberFees.id, id)),
		earlier: feesWithDrivers(build).where(and(eq(uberFees.addedBy, user.id), sql`${uberFees.submissionKey} = ${input.key ?? null}`)),
	});

	const made = answers.made[0];
	if (made) return done({ row: made, isReplay: false });
	const earlier = answers.earlier[0];
	if (earlier) return earlier.fee.payloadHash === payloadHash ? done({ row: earlier, isReplay: true }) : refused("key-reused");
	const seen = answers.facts[0];
	if (!seen?.isAdmin) return refused("no-longer-admin");
	return refused(seen.isDriver ? "not-to-replace" : "no-such-driver");
}

/** The facts once the replaced fee is deleted: it is no longer there to replace, by this very change. */
function afterDeletion(facts: SQL, replacesId: string, changeId: string): SQL {
	return sql`(select replayHash, isDriver, isAdmin,
		exists (select 1 from uber_fees where id = ${replacesId} and last_change_id = ${changeId}) as isReplaceable from ${facts})`;
}

const VALUES = sql`json_object('driverId', driver_id, 'category', category, 'amountCents', amount_cents, 'date', charged_on, 'referenceNumber', reference_number)`;

function deletionAudit(admin: AdminContext, condition: SQL, reason?: string) {
	return auditStatement(
		admin.db.build,
		actorOf(admin),
		{ action: "fee.delete", entity: "uber-fee", before: VALUES, after: sql`json_object('deletedAt', ${admin.now})`, reason },
		uberFees,
		condition,
	);
}

/** Deletes a fee: its row stays, counts for nothing and is in no list. */
export async function deleteFee(
	admin: AdminContext,
	id: string,
): Promise<Outcome<FeeWithDriver, Refused<"not-found"> | Refused<"no-longer-admin">>> {
	const { db, user, now } = admin;
	const changeId = crypto.randomUUID();
	const condition = sql`${uberFees.id} = ${id} and ${uberFees.deletedAt} is null and ${isStillAdmin(admin)}`;
	const { rows } = await db.batch({
		audit: deletionAudit(admin, condition),
		change: db.build.update(uberFees).set({ deletedAt: now, deletedBy: user.id, lastChangeId: changeId }).where(condition),
		rows: feesWithDrivers(db.build).where(eq(uberFees.id, id)),
	});
	const row = rows[0];
	if (row?.fee.lastChangeId === changeId) return done(row);
	return refused(row && row.fee.deletedAt === null ? "no-longer-admin" : "not-found");
}
