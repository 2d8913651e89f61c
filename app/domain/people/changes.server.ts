/** What counts as a change of a person in the API's lists of drivers. */
import { type SQL, sql } from "drizzle-orm";
import { users } from "../../db/schema.ts";
import { type ChangeSource, isItself } from "../kernel/changes.server.ts";
import { isOfOfficeIn } from "../kernel/shown-in-sql.server.ts";

const changes = (isListed: SQL): ChangeSource => ({
	table: users,
	links: [isItself("user")],
	isListed,
});

/** Drivers who are or were approved, whatever became of them. */
export const DRIVER_CHANGES = changes(
	sql`not ${isOfOfficeIn("changed_row")} and changed_row.approval_status = 'approved'`,
);

/** Anyone who has applied, whatever became of it. */
export const APPLICATION_CHANGES = changes(
	sql`changed_row.applied_at is not null
		and (not ${isOfOfficeIn("changed_row")} or entry.action = 'user.change-role')`,
);
