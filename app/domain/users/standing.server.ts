/** Conditions on who somebody is, for the indexes that begin with the role. */
import { eq, type SQL, sql } from "drizzle-orm";
import { users } from "../../db/schema.ts";

/**
 * Who has a role.
 * @param onlyIf where it is false nobody has it: SQLite would test a condition beside it on every
 * row of the index, and this it asks once
 */
export const isRole = (role: "driver" | "admin", onlyIf?: SQL): SQL =>
	onlyIf ? sql`${users.role} = (select ${role} where ${onlyIf})` : eq(users.role, role);
