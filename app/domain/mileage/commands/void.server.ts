import { and, eq } from "drizzle-orm";
import { mileageLogs } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { DriverContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { isCorrectable, type MileageLog, voidAudit } from "../rows.server.ts";
import { refreshFlags } from "./refresh-flags.server.ts";

export type VoidRefusal = Refused<"not-found"> | Refused<"too-late"> | Refused<"already-voided">;

/** Voids one of the driver's own entries within seven days: it stays visible but isn't counted. */
export async function voidMileage(
	driver: DriverContext,
	id: string,
): Promise<Outcome<MileageLog, VoidRefusal>> {
	const { user, now } = driver;
	const { changed, rows } = await transition(driver, {
		table: mileageLogs,
		rows: eq(mileageLogs.id, id),
		when: isCorrectable(user.id, now),
		set: { voidedAt: now, voidedBy: user.id },
		audit: voidAudit(now),
		next: (voided) => refreshFlags(driver.db.build, voided),
		read: (build) =>
			build
				.select()
				.from(mileageLogs)
				.where(and(eq(mileageLogs.id, id), eq(mileageLogs.driverId, user.id))),
	});
	const [log] = rows;
	if (!log) return refused("not-found");
	if (changed.has(id)) return done(log);
	return refused(log.voidedAt === null ? "too-late" : "already-voided");
}
