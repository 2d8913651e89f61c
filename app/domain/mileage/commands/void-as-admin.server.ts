import { eq, sql } from "drizzle-orm";
import { mileageLogs } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { CLOSED_UNTIL } from "../../archive/closed-years.server.ts";
import { isArchived } from "../../archive/read.server.ts";
import type { AdminContext } from "../../context.ts";
import { transition } from "../../transition.server.ts";
import type { VoidMileageAsAdmin } from "../input.ts";
import { findEntry, type ReviewedLog } from "../review.server.ts";
import { voidAudit } from "../rows.server.ts";

export type AdminVoidRefusal =
	| Refused<"not-found">
	| Refused<"already-voided", ReviewedLog>
	| Refused<"closed-year">;

/**
 * Voids anyone's entry of an open year, with a reason that its driver will see. After a lost race,
 * the result says who was first.
 */
export async function voidMileageAsAdmin(
	admin: AdminContext,
	{ id, reason }: VoidMileageAsAdmin,
): Promise<Outcome<ReviewedLog, AdminVoidRefusal>> {
	const { user, now } = admin;
	const { changed, rows } = await transition(admin, {
		table: mileageLogs,
		rows: eq(mileageLogs.id, id),
		when: sql`${mileageLogs.voidedAt} is null and ${mileageLogs.drivenOn} > ${CLOSED_UNTIL}`,
		set: { voidedAt: now, voidedBy: user.id, voidReason: reason },
		audit: voidAudit(now, reason),
		read: (build) => findEntry(build, id),
	});
	const [entry] = rows;
	if (!entry) return refused((await isArchived(admin, id)) ? "closed-year" : "not-found");
	if (changed.has(id)) return done(entry);
	return entry.log.voidedAt === null ? refused("closed-year") : refused("already-voided", entry);
}
