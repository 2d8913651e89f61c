import { eq, isNull } from "drizzle-orm";
import { mileageLogs } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../context.ts";
import { transition } from "../../transition.server.ts";
import type { VoidMileageAsAdmin } from "../input.ts";
import { findEntry, type ReviewedLog } from "../review.server.ts";
import { voidAudit } from "../rows.server.ts";

export type AdminVoidRefusal = Refused<"not-found"> | Refused<"already-voided", ReviewedLog>;

/**
 * Voids anybody's entry, however old, with a reason that its driver will read. The loser of a race
 * hears who was first.
 */
export async function voidMileageAsAdmin(
	admin: AdminContext,
	{ id, reason }: VoidMileageAsAdmin,
): Promise<Outcome<ReviewedLog, AdminVoidRefusal>> {
	const { user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: mileageLogs,
		rows: eq(mileageLogs.id, id),
		when: isNull(mileageLogs.voidedAt),
		set: { voidedAt: now, voidedBy: user.id, voidReason: reason },
		audit: voidAudit(now, reason),
		read: (build) => findEntry(build, id),
	});
	const [entry] = rows;
	if (!entry) return refused("not-found");
	return changed.has(id) ? done(entry) : refused("already-voided", entry);
}
