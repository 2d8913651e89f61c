import { eq, sql } from "drizzle-orm";
import type { Builder } from "../../../db/client.server.ts";
import { users } from "../../../db/schema.ts";
import { done, refused } from "../../../values/outcome.ts";
import { payoutNumber } from "../../fund-requests/payment.ts";
import { hasAccess } from "../../kernel/actor.server.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { driverCodeOf } from "../../kernel/shown-in-sql.server.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { PersonOutcome } from "../../people/rows.server.ts";
import { displayName, driverNumberIn } from "../../people/rules.ts";
import { applicantCutoff, applicantEnd, retentionCutoff, retentionEnd } from "../retention.ts";
import {
	bounceStatements,
	erasureStatements,
	IS_SETTLED,
	OPEN_PAYOUT,
	PENDING,
	UNPAID,
} from "./erasure.server.ts";

const IS_FORMER = sql`${users.approvalStatus} = 'approved'`;
/** When an applicant was last decided about, or else applied or signed in for the first time. */
const DECIDED_AT = sql<number>`coalesce((select max(at) from audit_events
	where entity = 'user' and entity_id = users.id and action in ('driver.reject', 'driver.approve')),
	users.applied_at, users.created_at)`;
/** What is typed to erase someone without a driver ID: their name, or else their email. */
const TYPED_WITHOUT_CODE = sql`coalesce(nullif(trim(users.first_name || ' ' || users.last_name), ''),
	users.email, users.unverified_email, 'Unnamed user')`;

/** The person, and what still prevents it. */
const personAndBusiness = (build: Builder, id: string) =>
	build
		.select({
			person: users,
			hasPending: sql<number>`exists (${PENDING})`.as("has_pending"),
			hasUnpaid: sql<number>`exists (${UNPAID})`.as("has_unpaid"),
			openPayout: OPEN_PAYOUT.as("open_payout"),
			decidedAt: DECIDED_AT.as("decided_at"),
		})
		.from(users)
		.where(eq(users.id, id));

/**
 * Permanently removes everything from the records of a former driver, or of an applicant who was
 * rejected or never decided about, that identifies them. Figures, payouts and the audit stay under
 * 'Former driver' and the driver ID, or 'Former applicant'; the audit's texts follow once they are
 * sealed (erase-audit.server.ts), the receipts' files with the daily sweep.
 * @param typed what is typed as confirmation: the driver ID, or the name of someone without one
 * @param years how long a driver must have been inactive
 */
export async function pseudonymizeDriver(
	admin: AdminContext,
	id: string,
	typed: string,
	years: number,
): Promise<PersonOutcome> {
	const { now, today, timeZone } = admin;
	const { build } = admin.db;
	const rows = eq(users.id, id);
	const isNamed = sql`lower(${TYPED_WITHOUT_CODE}) = lower(${typed.trim().replace(/\s+/g, " ")})`;
	const isFormerDue = sql`${users.isActive} = 0
		and ${users.deactivatedAt} < ${retentionCutoff(timeZone, today, years)}
		and iif(${users.driverNumber} is null, ${isNamed},
			${users.driverNumber} = ${driverNumberIn(typed) ?? -1})`;
	const isApplicantDue = sql`${DECIDED_AT} < ${applicantCutoff(timeZone, today)} and ${isNamed}`;
	const when = sql`${users.role} = 'driver' and ${users.deletedAt} is null
		and ${users.pseudonymizedAt} is null and ${users.id} <> ${admin.user.id}
		and iif(${IS_FORMER}, ${isFormerDue}, ${isApplicantDue})
		and ${IS_SETTLED}`;
	const { changed, rows: found } = await transition(admin, {
		table: users,
		rows,
		when,
		set: {
			firstName: sql`iif(${IS_FORMER}, 'Former driver', 'Former applicant')`,
			lastName: sql`iif(${IS_FORMER} and ${users.driverNumber} is not null,
				${driverCodeOf(users.driverNumber)}, '')`,
			email: null,
			unverifiedEmail: null,
			submissionKey: null,
			payloadHash: null,
			remindOfMiles: null,
			remindOfReceipts: null,
			weeklyDigest: null,
			daysOff: null,
			pseudonymizedAt: now,
			// An applicant keeps nothing that a list would show.
			approvalStatus: sql`iif(${IS_FORMER}, 'approved', 'rejected')`,
			isActive: false,
			deletedAt: sql`iif(${IS_FORMER}, null, ${now})`,
		},
		audit: {
			action: sql`iif(${IS_FORMER}, 'driver.pseudonymize', 'applicant.erase')`,
			entity: "user",
		},
		first: bounceStatements(build, sql`${rows} and (${when}) and ${hasAccess(admin)}`),
		next: (person) => erasureStatements(build, person, now),
		read: () => personAndBusiness(build, id),
	});
	const [after] = found;
	if (!after || after.person.role === "none") return refused("not-found");
	const { person, hasPending, hasUnpaid, openPayout, decidedAt } = after;
	if (changed.has(id)) return done(person);
	if (person.pseudonymizedAt !== null) return refused("pseudonymized");
	if (person.deletedAt !== null) return refused("not-found");
	const name = displayName({ ...person, email: person.email ?? person.unverifiedEmail });
	if (id === admin.user.id) return refused("own-data");
	if (person.role === "admin") return refused("administrator", { name });
	if (person.approvalStatus !== "approved") {
		const end = applicantEnd(timeZone, decidedAt);
		if (end > today) return refused("too-early", { name, end });
		return refused("wrong-name", { name });
	}
	if (person.isActive || person.deactivatedAt === null) return refused("still-active", { name });
	const end = retentionEnd(timeZone, person.deactivatedAt, years);
	if (end > today) return refused("too-early", { name, end });
	if (hasPending) return refused("pending-requests", { name });
	if (hasUnpaid) return refused("unpaid-requests", { name });
	if (openPayout !== null)
		return refused("open-payout", { name, payout: payoutNumber(openPayout) });
	return refused(person.driverNumber === null ? "wrong-name" : "wrong-code", { name });
}
