import { eq, sql } from "drizzle-orm";
import { mileageLogs } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import { CLOSED_UNTIL } from "../../archive/closed-years.server.ts";
import { isArchived } from "../../archive/read.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { isPseudonymized } from "../../people/pseudonymized.server.ts";
import type { VoidMileageAsAdmin } from "../input.ts";
import { findEntry, type ReviewedLog } from "../review.server.ts";
import { voidAudit } from "../rows.server.ts";
import { refreshFlags } from "./refresh-flags.server.ts";

export type AdminVoidRefusal =
	| Refused<"not-found">
	| Refused<"already-voided", ReviewedLog>
	| Refused<"closed-year">
	| Refused<"pseudonymized">;

/**
 * Voids anyone's entry of an open year, with a reason that its driver will see. After a lost race,
 * the result says who was first.
 */
export async function voidMileageAsAdmin(
	admin: AdminContext,
	{ id, reason }: VoidMileageAsAdmin,
): Promise<Outcome<ReviewedLog, AdminVoidRefusal>> {
	const { user, now } = admin;
	const isOfFormer = isPseudonymized(mileageLogs.driverId);
	const { changed, rows, answers } = await transition(admin, {
		table: mileageLogs,
		rows: eq(mileageLogs.id, id),
		when: sql`${mileageLogs.voidedAt} is null and ${mileageLogs.drivenOn} > ${CLOSED_UNTIL}
			and not ${isOfFormer}`,
		set: { voidedAt: now, voidedBy: user.id, voidReason: reason },
		audit: voidAudit(now, reason),
		next: (voided) => refreshFlags(admin.db.build, voided),
		first: {
			former: admin.db.build.all(sql`select 1 from ${mileageLogs}
				where ${eq(mileageLogs.id, id)} and ${isOfFormer}`),
		},
		read: (build) => findEntry(build, id),
	});
	const [entry] = rows;
	if (!entry) return refused((await isArchived(admin, id)) ? "closed-year" : "not-found");
	if (changed.has(id)) return done(entry);
	if (entry.log.voidedAt !== null) return refused("already-voided", entry);
	return refused(answers.former.length > 0 ? "pseudonymized" : "closed-year");
}
