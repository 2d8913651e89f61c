import { eq, isNull } from "drizzle-orm";
import { uberFees } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { FeeWithDriver } from "../json.ts";
import { feesWithDrivers } from "../queries.server.ts";
import { deletionAudit } from "../rows.server.ts";

export type DeleteRefusal = Refused<"not-found">;

/** Deletes a fee: its row stays, but isn't counted or listed. */
export async function deleteFee(
	admin: AdminContext,
	id: string,
): Promise<Outcome<FeeWithDriver, DeleteRefusal>> {
	const { user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: uberFees,
		rows: eq(uberFees.id, id),
		when: isNull(uberFees.deletedAt),
		set: { deletedAt: now, deletedBy: user.id },
		audit: deletionAudit(now),
		read: (build) => feesWithDrivers(build).where(eq(uberFees.id, id)),
	});
	const [row] = rows;
	return row && changed.has(id) ? done(row) : refused("not-found");
}
