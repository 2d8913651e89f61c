import { eq, type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { users } from "../../../db/schema.ts";
import { done, refused } from "../../../values/outcome.ts";
import { hasAccess } from "../../actor.server.ts";
import type { AdminContext } from "../../context.ts";
import type { PersonOutcome } from "../../drivers/rows.server.ts";
import { payoutNumber } from "../../payouts/rules.ts";
import { driverCodeOf } from "../../shown-in-sql.server.ts";
import { transition } from "../../transition.server.ts";
import { displayName, driverNumberIn } from "../../users/rules.ts";
import { retentionCutoff, retentionEnd } from "../retention.ts";
import { bounceStatements, erasureStatements } from "./erasure.server.ts";

const requestsThat = (condition: SQL) => sql`select 1 from fund_requests
	where fund_requests.driver_id = users.id and ${condition}`;
const PENDING = requestsThat(sql`status = 'pending'`);
const UNPAID = requestsThat(sql`status = 'approved' and payout_id is null`);
/** The number of an open payout that includes them. */
const OPEN_PAYOUT = sql<number | null>`(select min(payouts.number) from payout_requests as lines
	join payouts on payouts.id = lines.payout_id
	where lines.driver_id = users.id and payouts.status = 'open')`;

/** The person, and what still prevents it. */
const personAndBusiness = (build: Builder, id: string) =>
	build
		.select({
			person: users,
			hasPending: sql<number>`exists (${PENDING})`.as("has_pending"),
			hasUnpaid: sql<number>`exists (${UNPAID})`.as("has_unpaid"),
			openPayout: OPEN_PAYOUT.as("open_payout"),
		})
		.from(users)
		.where(eq(users.id, id));

/**
 * Permanently removes everything from a former driver's records that identifies them. Figures,
 * payouts and the audit stay under 'Former driver' and the driver ID; the audit's texts follow once
 * they are sealed (erase-audit.server.ts), the receipts' files with the daily sweep.
 * @param typedCode the driver ID, typed as confirmation
 * @param years how long they must have been inactive
 */
export async function pseudonymizeDriver(
	admin: AdminContext,
	id: string,
	typedCode: string,
	years: number,
): Promise<PersonOutcome> {
	const { now, today, timeZone } = admin;
	const { build } = admin.db;
	const typed = driverNumberIn(typedCode) ?? -1;
	const rows = eq(users.id, id);
	const when = sql`${users.role} = 'driver' and ${users.deletedAt} is null
		and ${users.approvalStatus} = 'approved' and ${users.isActive} = 0
		and ${users.pseudonymizedAt} is null and ${users.id} <> ${admin.user.id}
		and ${users.deactivatedAt} < ${retentionCutoff(timeZone, today, years)}
		and ${users.driverNumber} = ${typed}
		and not exists (${PENDING}) and not exists (${UNPAID}) and ${OPEN_PAYOUT} is null`;
	const { changed, rows: found } = await transition(admin, {
		table: users,
		rows,
		when,
		set: {
			firstName: "Former driver",
			lastName: driverCodeOf(users.driverNumber),
			email: null,
			unverifiedEmail: null,
			submissionKey: null,
			payloadHash: null,
			remindOfMiles: null,
			remindOfReceipts: null,
			weeklyDigest: null,
			pseudonymizedAt: now,
		},
		audit: { action: "driver.pseudonymize", entity: "user" },
		first: bounceStatements(build, sql`${rows} and (${when}) and ${hasAccess(admin)}`),
		next: (person) => erasureStatements(build, person, now),
		read: () => personAndBusiness(build, id),
	});
	const [after] = found;
	if (!after || after.person.deletedAt !== null || after.person.role === "none")
		return refused("not-found");
	const { person, hasPending, hasUnpaid, openPayout } = after;
	if (changed.has(id)) return done(person);
	const name = displayName(person);
	if (id === admin.user.id) return refused("own-data");
	if (person.role === "admin") return refused("administrator", { name });
	if (person.approvalStatus !== "approved") return refused("not-approved", { name });
	if (person.pseudonymizedAt !== null) return refused("pseudonymized");
	if (person.isActive || person.deactivatedAt === null) return refused("still-active", { name });
	const end = retentionEnd(timeZone, person.deactivatedAt, years);
	if (end > today) return refused("too-early", { name, end });
	if (hasPending) return refused("pending-requests", { name });
	if (hasUnpaid) return refused("unpaid-requests", { name });
	if (openPayout !== null)
		return refused("open-payout", { name, payout: payoutNumber(openPayout) });
	return refused("wrong-code", { name });
}
