import { sql } from "drizzle-orm";
import { uberFees } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { isApprovedDriver } from "../../people/standing.server.ts";
import type { AddFee } from "../input.ts";
import type { FeeWithDriver } from "../json.ts";
import { feesWithDrivers } from "../queries.server.ts";
import { deletionAudit, feeValues } from "../rows.server.ts";

export type AddFeeResult = {
	readonly row: FeeWithDriver;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};
export type AddRefusal =
	| Refused<"key-reused">
	| Refused<"no-such-driver">
	| Refused<"not-to-replace">;

/**
 * Adds a fee in the administrator's own name, or returns the result of the same submission. With
 * `replacesId` the named fee is deleted in the same step.
 */
export async function addFee(
	admin: AdminContext,
	{ driverId, category, amount, date, referenceNumber, description, key, replacesId }: AddFee,
): Promise<Outcome<AddFeeResult, AddRefusal>> {
	const { user, now } = admin;
	const created = await createOnce(admin, {
		table: uberFees,
		id: crypto.randomUUID(),
		creator: uberFees.addedBy,
		key,
		payload: [
			driverId,
			category,
			amount,
			date,
			referenceNumber ?? null,
			description ?? null,
			replacesId ?? null,
		],
		facts: {
			isDriver: isApprovedDriver(driverId),
			isReplaceable: replacesId
				? sql<number>`exists (select 1 from uber_fees
					where id = ${replacesId} and deleted_at is null and is_credit = 0)`
				: sql<number>`1`,
		},
		accepts: sql`isDriver and isReplaceable`,
		values: {
			driverId,
			category,
			amountCents: amount,
			chargedOn: date,
			referenceNumber,
			description,
			addedBy: user.id,
			createdAt: now,
			replacesId,
		},
		audit: { action: "fee.add", entity: "uber-fee", after: feeValues },
		replaces: replacesId
			? {
					id: replacesId,
					when: sql`deleted_at is null`,
					set: { deletedAt: now, deletedBy: user.id },
					audit: deletionAudit(now, "Replaced"),
				}
			: undefined,
		read: (build, rows) => feesWithDrivers(build).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused")
		return refused(created.facts.isDriver ? "not-to-replace" : "no-such-driver");
	return done({ row: created.row, isReplay: created.kind === "replayed" });
}
