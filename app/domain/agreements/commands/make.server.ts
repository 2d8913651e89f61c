import { sql } from "drizzle-orm";
import { agreements } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { createOnce } from "../../kernel/create-once.server.ts";
import { typedValues } from "../../kernel/record.ts";
import { isApprovedDriver } from "../../people/standing.server.ts";
import { firstDayOfWeek } from "../../statements/settlement-week.server.ts";
import type { NewAgreement } from "../input.ts";
import { AGREEMENT } from "../record.ts";
import { AUDITED } from "../rows.server.ts";
import type { Agreement } from "../rules.ts";

export type MakeAgreementRefusal =
	| Refused<"key-reused">
	| Refused<"no-such-driver">
	/** The fleet's weeks have started on another day since the form was shown. */
	| Refused<"no-first-day">;
export type MadeAgreement = {
	readonly row: Agreement;
	/** The same submission was stored before; this is its result. */
	readonly isReplay: boolean;
};

/**
 * Makes a driver's agreement as of the first day of a week, or returns the result of the same
 * submission. Earlier ones stay, even one for the same day.
 */
export async function makeAgreement(
	admin: AdminContext,
	agreement: NewAgreement,
): Promise<Outcome<MadeAgreement, MakeAgreementRefusal>> {
	const { driverId, key } = agreement;
	const typed = typedValues(AGREEMENT, agreement);
	const created = await createOnce(admin, {
		table: agreements,
		id: crypto.randomUUID(),
		creator: agreements.createdBy,
		key,
		payload: [driverId, ...Object.values(typed)],
		facts: {
			isDriver: isApprovedDriver(driverId),
			isFirstDay: sql<number>`${agreement.from} = ${firstDayOfWeek(agreement.from)}`,
			next: sql<number>`(select coalesce(max(number), 0) + 1 from agreements
				where driver_id = ${driverId})`,
		},
		accepts: sql`isDriver and isFirstDay`,
		values: {
			...typed,
			driverId,
			number: sql`next`,
			createdAt: admin.now,
			createdBy: admin.user.id,
		},
		audit: { action: "agreement.make", entity: "agreement", after: AUDITED },
		read: (build, rows) => build.select().from(agreements).where(rows),
	});
	if (created.kind === "key-reused") return refused("key-reused");
	if (created.kind === "refused")
		return refused(created.facts.isDriver ? "no-first-day" : "no-such-driver");
	return done({ row: created.row, isReplay: created.kind === "replayed" });
}
