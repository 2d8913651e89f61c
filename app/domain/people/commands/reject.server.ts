import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import type { Site } from "../../mail/queue.server.ts";
import { queueRejectionEmail } from "../emails.server.ts";
import { hasName, isDriver, type PersonOutcome, personAndDecider } from "../rows.server.ts";
import { decisionOutcome } from "./decision.server.ts";

/** Rejects an application. Refused once it is decided either way. */
export async function rejectDriver(
	admin: AdminContext,
	id: string,
	site: Site,
): Promise<PersonOutcome> {
	const { build } = admin.db;
	const { changed, rows } = await transition(admin, {
		table: users,
		rows: eq(users.id, id),
		when: sql`${isDriver} and ${hasName} and ${users.id} <> ${admin.user.id}
			and ${users.approvalStatus} = 'pending' and ${users.appliedAt} is not null`,
		set: { approvalStatus: "rejected", decidedBy: admin.user.id },
		audit: {
			action: "driver.reject",
			entity: "user",
			before: sql`json_object('approvalStatus', ${users.approvalStatus})`,
			after: sql`json_object('approvalStatus', 'rejected')`,
		},
		next: (person, changeId) => ({
			mail: queueRejectionEmail(build, { admin, site, person, personId: id, changeId }),
		}),
		read: (build) => personAndDecider(build, id),
	});
	return decisionOutcome(rows[0], changed.has(id));
}
