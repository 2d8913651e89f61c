import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { cancelMail } from "../../mail/queue.server.ts";
import { isUnclaimed, onePerson, type PersonOutcome } from "../rows.server.ts";
import { invitationOutcome } from "./invitation.server.ts";

/**
 * Cancels an unclaimed invitation: the row stays for the record, the email is free again, the
 * driver ID is not.
 */
export async function cancelInvitation(admin: AdminContext, id: string): Promise<PersonOutcome> {
	const { now } = admin;
	const { changed, rows } = await transition(admin, {
		table: users,
		rows: eq(users.id, id),
		when: isUnclaimed,
		set: { deletedAt: now, isActive: false, deactivatedAt: now },
		audit: {
			action: "invitation.cancel",
			entity: "user",
			before: sql`json_object('email', ${users.email})`,
		},
		next: (person) => ({ unsaid: cancelMail(admin.db.build, "invitation", id, person) }),
		read: (build) => onePerson(build, id),
	});
	return invitationOutcome(rows[0], changed.has(id));
}
