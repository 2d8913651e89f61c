/** Erases people who never claimed their invitation, some time after it was canceled. */
import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { dateIn } from "../../../values/calendar-date.ts";
import type { SystemContext } from "../../kernel/context.ts";
import { driverCodeOf } from "../../kernel/shown-in-sql.server.ts";
import { transition } from "../../kernel/transition.server.ts";
import { applicantCutoff } from "../retention.ts";
import { bounceStatements, erasureStatements, IS_SETTLED } from "./erasure.server.ts";

/** People erased in a day's run. */
const MAX_ERASED = 50;

const IS_CANCELED = sql`(${users.deletedAt} is not null and ${users.claimedAt} is null
	and ${users.pseudonymizedAt} is null and ${IS_SETTLED})`;

/**
 * Removes names, emails and texts of those whose invitation has been canceled for as long as an
 * applicant is kept. Nobody could do it by hand, since they are in no list. Whoever is still owed
 * something is kept.
 */
export async function eraseInvitations(system: SystemContext, timeZone: string): Promise<void> {
	const { db, now } = system;
	const { build } = db;
	const before = applicantCutoff(timeZone, dateIn(timeZone, now));
	const { due } = await db.batch({
		due: build.all<{ id: string }>(sql`
			select users.id as id from audit_events as told indexed by audit_by_action
			cross join users on users.id = told.entity_id
			where told.action = 'invitation.cancel' and told.at < ${before} and ${IS_CANCELED}
			limit ${MAX_ERASED}`),
	});
	for (const { id } of due) {
		const rows = eq(users.id, id);
		await transition(system, {
			table: users,
			rows,
			when: IS_CANCELED,
			set: {
				firstName: "Canceled invitation",
				lastName: sql`iif(${users.driverNumber} is null, '', ${driverCodeOf(users.driverNumber)})`,
				email: null,
				unverifiedEmail: null,
				submissionKey: null,
				payloadHash: null,
				pseudonymizedAt: now,
			},
			audit: { action: "invitation.erase", entity: "user" },
			first: bounceStatements(build, sql`${rows} and ${IS_CANCELED}`),
			next: (person) => erasureStatements(build, person, now),
			read: (reader) => reader.select({ id: users.id }).from(users).where(rows),
		});
	}
}
