/** Whether somebody still may what the guard let him in for, asked in the statement that changes something. */
import { type SQL, sql } from "drizzle-orm";
import type { AdminContext } from "../context.ts";

/** Nobody who was deactivated since the guard let him in changes anything. */
export const isStillAdmin = ({ user }: AdminContext): SQL =>
	sql`exists (select 1 from users where id = ${user.id} and is_active = 1 and role = 'admin')`;
