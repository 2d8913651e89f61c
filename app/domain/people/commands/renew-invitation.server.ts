import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { isOfOfficeIn } from "../../kernel/shown-in-sql.server.ts";
import { INVITATION_TTL_MS } from "../../kernel/time-limits.ts";
import { transition } from "../../kernel/transition.server.ts";
import { cancelMail, type Site } from "../../mail/queue.server.ts";
import { queueInvitationEmail } from "../emails.server.ts";
import { isUnclaimed, onePerson, type PersonOutcome } from "../rows.server.ts";
import { invitationOutcome } from "./invitation.server.ts";

/** Resends an unclaimed invitation with its full lifetime, even after it has expired. */
export async function renewInvitation(
	admin: AdminContext,
	id: string,
	site: Site,
): Promise<PersonOutcome> {
	const { build } = admin.db;
	const expiresAt = sql`${admin.now} + iif(${isOfOfficeIn("users")},
		${INVITATION_TTL_MS.admin}, ${INVITATION_TTL_MS.driver})`;
	const { changed, rows } = await transition(admin, {
		table: users,
		rows: eq(users.id, id),
		when: sql`${isUnclaimed} and ${users.isActive} = 1`,
		set: { invitedAt: admin.now, inviteExpiresAt: expiresAt },
		audit: {
			action: "invitation.renew",
			entity: "user",
			before: sql`json_object('inviteExpiresAt', ${users.inviteExpiresAt})`,
			after: sql`json_object('inviteExpiresAt', cast(${expiresAt} as integer))`,
		},
		next: (person, changeId) => ({
			unsaid: cancelMail(build, "invitation", id, person),
			mail: queueInvitationEmail(build, { admin, site, person, personId: id, changeId }),
		}),
		read: (build) => onePerson(build, id),
	});
	return invitationOutcome(rows[0], changed.has(id));
}
