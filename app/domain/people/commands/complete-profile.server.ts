import { and, eq, or, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, type Outcome, type Refused, refused } from "../../../values/outcome.ts";
import type { SelfContext, UserRow } from "../../kernel/context.ts";
import { hasMade } from "../../kernel/limits.server.ts";
import { MAX_NAMES_PER_HOUR } from "../../kernel/limits.ts";
import { transition } from "../../kernel/transition.server.ts";
import { noteApplication } from "../../mail/notices.server.ts";
import type { ProfileInput } from "../input.ts";

export type ProfileRefusal = Refused<"decided" | "too-many">;

/**
 * Completes or corrects one's own name. Drivers may do so until their application is decided; the
 * first time makes it an application. Refused with 'decided' if a decision came first, and with
 * 'too-many' if they have changed it too often in the last hour.
 */
export async function completeProfile(
	self: SelfContext,
	{ firstName, lastName }: ProfileInput,
): Promise<Outcome<UserRow, ProfileRefusal>> {
	const { db, user, now } = self;
	// Administrators and invited drivers have their access already.
	const applies = sql`${users.appliedAt} is null
		and ${users.role} = 'driver' and ${users.approvalStatus} = 'pending'`;
	const isNew = sql`(${users.firstName} <> ${firstName} or ${users.lastName} <> ${lastName}
		or ${applies})`;
	const isOpen = or(
		eq(users.role, "admin"),
		eq(users.approvalStatus, "pending"),
		eq(users.firstName, ""),
		eq(users.lastName, ""),
	);
	const isTooMany = hasMade(self, MAX_NAMES_PER_HOUR, "profile.complete");
	const { changed, rows, answers } = await transition(self, {
		table: users,
		rows: eq(users.id, user.id),
		when: sql`${and(isOpen, isNew)} and not ${isTooMany}`,
		set: { firstName, lastName, appliedAt: sql`iif(${applies}, ${now}, ${users.appliedAt})` },
		audit: {
			action: "profile.complete",
			entity: "user",
			before: sql`json_object('firstName', ${users.firstName}, 'lastName', ${users.lastName})`,
			after: sql`json_object('firstName', ${firstName}, 'lastName', ${lastName})`,
		},
		first: { lately: db.build.all<{ isTooMany: number }>(sql`select ${isTooMany} as isTooMany`) },
		// Queued once per applicant, however often they correct their name.
		next: (me) => ({
			mail: noteApplication(
				db.build,
				user.id,
				`${firstName} ${lastName}`,
				now,
				sql`${me} and ${users.role} = 'driver'
					and ${users.approvalStatus} = 'pending' and ${users.appliedAt} = ${now}`,
			),
		}),
		read: (build) => build.select().from(users).where(eq(users.id, user.id)),
	});
	const [row] = rows;
	if (!row) return refused("decided");
	const isUndecided = row.role === "admin" || row.approvalStatus === "pending";
	const hasThisName = row.firstName === firstName && row.lastName === lastName;
	if (changed.has(row.id) || (isUndecided && hasThisName)) return done(row);
	return refused(answers.lately[0]?.isTooMany ? "too-many" : "decided");
}
