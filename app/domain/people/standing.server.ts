/** Conditions on a person's role, for the indexes that start with it. */
import { type SQL, sql } from "drizzle-orm";
import { literal } from "../../db/literal.ts";
import { users } from "../../db/schema.ts";

/**
 * Who has a role.
 * @param onlyIf if false, nobody is read: as a separate condition SQLite would test it on every row
 * of the index, but here it tests it once
 */
export const isRole = (role: "driver" | "admin", onlyIf?: SQL): SQL =>
	onlyIf
		? sql`${users.role} = (select ${role} where ${onlyIf})`
		: sql`${users.role} = ${literal(role)}`;

/** The approved drivers, active or not. */
export const isApproved = sql`${users.role} = 'driver' and ${users.approvalStatus} = 'approved'
	and ${users.deletedAt} is null`;

/**
 * Whether someone is an approved driver, active or not: the only people the books may mention.
 * Nothing new is recorded about a pseudonymized one.
 */
export const isApprovedDriver = (id: string | SQL) =>
	sql<number>`exists (select 1 from users where id = ${id}
		and role = 'driver' and approval_status = 'approved' and deleted_at is null
			and pseudonymized_at is null)`;
