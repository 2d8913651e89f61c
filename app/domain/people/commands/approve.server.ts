import { eq, sql } from "drizzle-orm";
import { users } from "../../../db/schema.ts";
import type { AdminContext } from "../../kernel/context.ts";
import { transition } from "../../kernel/transition.server.ts";
import { cancelMail, type Site } from "../../mail/queue.server.ts";
import { queueApprovalEmail } from "../emails.server.ts";
import {
	hasName,
	isDriver,
	nextDriverNumber,
	type PersonOutcome,
	personAndDecider,
} from "../rows.server.ts";
import { decisionOutcome } from "./decision.server.ts";

/**
 * Approves a pending or rejected application; the driver gets a number unless they have one. Their
 * sessions stay, and the next request passes the gate.
 * @param seen how the administrator saw it: one that was pending isn't approved if someone else has
 * rejected it since
 */
export async function approveDriver(
	admin: AdminContext,
	id: string,
	site: Site,
	seen?: "pending",
): Promise<PersonOutcome> {
	const { build } = admin.db;
	const driverNumber = sql`coalesce(${users.driverNumber}, ${nextDriverNumber})`;
	const { changed, rows } = await transition(admin, {
		table: users,
		rows: eq(users.id, id),
		when: sql`${isDriver} and ${hasName} and ${users.id} <> ${admin.user.id}
			and (${users.approvalStatus} = 'pending'
				or (${users.approvalStatus} = 'rejected' and ${seen ? 0 : 1}))`,
		set: {
			approvalStatus: "approved",
			driverNumber,
			approvedAt: admin.now,
			decidedBy: admin.user.id,
		},
		audit: {
			action: "driver.approve",
			entity: "user",
			before: sql`json_object('approvalStatus', ${users.approvalStatus})`,
			after: sql`json_object('approvalStatus', 'approved', 'driverNumber', ${driverNumber})`,
		},
		next: (person, changeId) => ({
			unsaid: cancelMail(build, "driver-rejected", id, person),
			mail: queueApprovalEmail(build, { admin, site, person, personId: id, changeId }),
		}),
		read: (build) => personAndDecider(build, id),
	});
	return decisionOutcome(rows[0], changed.has(id));
}
