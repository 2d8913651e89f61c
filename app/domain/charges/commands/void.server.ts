import { eq, sql } from "drizzle-orm";
import { charges } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { AUDITED, IS_SETTLED } from "../rows.server.ts";
import type { Charge } from "../rules.ts";

export type VoidChargeRefusal = Refused<"not-found"> | Refused<"settled">;

/** Voids a charge that no published settlement has an instalment of: its row stays. */
export async function voidCharge(
	admin: AdminContext,
	id: string,
): Promise<Outcome<Charge, VoidChargeRefusal>> {
	const { changed, rows } = await transition(admin, {
		table: charges,
		rows: eq(charges.id, id),
		when: sql`voided_at is null and not (${IS_SETTLED})`,
		set: { voidedAt: admin.now, voidedBy: admin.user.id },
		audit: {
			action: "charge.void",
			entity: "charge",
			before: AUDITED,
			after: sql`json_object('voidedAt', ${admin.now})`,
		},
		read: (build) => build.select().from(charges).where(eq(charges.id, id)),
	});
	const [row] = rows;
	if (row && changed.has(id)) return done(row);
	return refused(row && row.voidedAt === null ? "settled" : "not-found");
}
