import { sql } from "drizzle-orm";
import { charges } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { typedValues } from "../../kernel/record.ts";
import { isApprovedDriver } from "../../people/standing.server.ts";
import type { NewCharge } from "../input.ts";
import { CHARGE } from "../record.ts";
import { AUDITED } from "../rows.server.ts";
import type { Charge } from "../rules.ts";

export type AddChargeRefusal = Refused<"key-reused"> | Refused<"no-such-driver">;
export type AddedCharge = {
	readonly row: Charge;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};

/** Adds a charge for or against a driver, or returns the result of the same submission. */
export async function addCharge(
	admin: AdminContext,
	charge: NewCharge,
): Promise<Outcome<AddedCharge, AddChargeRefusal>> {
	const { driverId, key } = charge;
	const typed = typedValues(CHARGE, charge);
	const created = await createOnce(admin, {
		table: charges,
		id: crypto.randomUUID(),
		creator: charges.createdBy,
		key,
		payload: [driverId, ...Object.values(typed)],
		facts: { isDriver: isApprovedDriver(driverId) },
		accepts: sql`isDriver`,
		values: { ...typed, driverId, createdAt: admin.now, createdBy: admin.user.id },
		audit: { action: "charge.add", entity: "charge", after: AUDITED },
		read: (build, rows) => build.select().from(charges).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused") return refused("no-such-driver");
	return done({ row: created.row, isReplay: created.kind === "replayed" });
}
