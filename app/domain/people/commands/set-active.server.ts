import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import { done, refused } from "../../../values/outcome.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOfOfficeIn } from "../../kernel/shown-in-sql.server.ts";
import { roleOf } from "../../kernel/standing.ts";
import { transition } from "../../kernel/transition.server.ts";
import { cancelReminders } from "../../mail/queue.server.ts";
import { onePerson, type PersonOutcome } from "../rows.server.ts";
import { displayName } from "../rules.ts";
import { endSessionsStatement, revokeTokensStatement } from "../sessions.server.ts";

/**
 * Activates or deactivates an approved driver, an administrator or an accountant; deactivation also
 * ends their sessions and tokens and cancels their reminders, in one batch. Nobody can deactivate
 * themselves, and only an active administrator can deactivate others, so one always remains.
 * @param isActive the new state; toggles if absent
 */
export async function setDriverActive(
	admin: AdminContext,
	id: string,
	isActive?: boolean,
): Promise<PersonOutcome> {
	const isWanted = isActive === undefined ? sql`1` : sql`${users.isActive} <> ${isActive ? 1 : 0}`;
	const isEligible = sql`(${isOfOfficeIn("users")}
		or (${users.role} = 'driver' and ${users.approvalStatus} = 'approved'))`;
	const stateJson = (isOn: string) => sql`json_object('isActive',
		json(iif(${users.isActive} ${sql.raw(isOn)}, 'true', 'false')))`;
	const { changed, rows } = await transition(admin, {
		table: users,
		rows: eq(users.id, id),
		when: sql`${users.deletedAt} is null and ${users.pseudonymizedAt} is null and ${users.id} <> ${admin.user.id}
			and ${isEligible} and ${isWanted}`,
		set: {
			isActive: sql`1 - ${users.isActive}`,
			deactivatedAt: sql`iif(${users.isActive} = 1, ${admin.now}, null)`,
		},
		audit: {
			action: sql`iif(${users.isActive} = 1, 'user.deactivate', 'user.activate')`,
			entity: "user",
			before: stateJson("= 1"),
			after: stateJson("= 0"),
		},
		next: (person) => ({
			sessions: endSessionsStatement(
				admin.db.build,
				sql`${person} and ${users.isActive} = 0`,
				"deactivated",
				admin.now,
			),
			tokens: revokeTokensStatement(
				admin.db.build,
				sql`${person} and ${users.isActive} = 0`,
				admin.user.id,
				admin.now,
			),
			reminders: cancelReminders(admin.db.build, "all", sql`${person} and ${users.isActive} = 0`),
		}),
		read: (build) => onePerson(build, id),
	});
	const [person] = rows;
	if (!person) return refused("not-found");
	if (changed.has(id)) return done(person);
	if (person.deletedAt !== null || roleOf(person) === "none") return refused("not-found");
	if (person.id === admin.user.id) return refused("oneself");
	if (person.pseudonymizedAt !== null) return refused("pseudonymized");
	const name = displayName(person);
	if (person.role === "driver" && person.approvalStatus !== "approved")
		return refused("not-approved", { name });
	return refused("unchanged", { name, isActive: person.isActive });
}
