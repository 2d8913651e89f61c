/** The API's lists of drivers. */
import { type SQL, sql } from "drizzle-orm";
import type { Builder } from "../../db/client.server.ts";
import { users } from "../../db/schema.ts";
import { cursors } from "../../values/cursor.ts";
import type { ChangeSource } from "../kernel/changes.server.ts";
import type { ListSource } from "../kernel/list.server.ts";
import { APPLICATION_CHANGES, DRIVER_CHANGES } from "./changes.server.ts";
import {
	type ListedPerson,
	listAllDrivers,
	listApprovedDrivers,
	listPendingDrivers,
	PERSON_COLUMNS,
} from "./queries.server.ts";

/** A driver's position by name, the inactive ones before or after the others. */
export const nameCursors = cursors({
	isActive: "number",
	lastName: "text",
	firstName: "text",
	id: "id",
});
export type NameCursor = NonNullable<ReturnType<typeof nameCursors.parse>>;
export const nameCursorOf = (
	row: Pick<ListedPerson, "isActive" | "lastName" | "firstName" | "id">,
) => ({
	isActive: row.isActive ? 1 : 0,
	lastName: row.lastName,
	firstName: row.firstName,
	id: row.id,
});
const applicationCursors = cursors({ appliedAt: "number", id: "id" });

/** A person in a list of changes may have been deleted since. */
type Row = ListedPerson & { readonly deletedAt?: number | null };
const changesOf = (source: ChangeSource) => ({
	source,
	rows: (build: Builder, ids: SQL) =>
		build
			.select({ ...PERSON_COLUMNS, deletedAt: users.deletedAt })
			.from(users)
			.where(sql`${users.id} in ${ids}`),
});
const idOf = ({ id }: Row) => id;

/** Approved and active, by name. */
export const APPROVED_LIST: ListSource<Row, NameCursor> = {
	cursors: nameCursors,
	cursorOf: nameCursorOf,
	idOf,
	rows: (build, _, size, cursor) =>
		listApprovedDrivers(build, true, size, cursor && { way: "after", cursor }),
	changes: changesOf(DRIVER_CHANGES),
};

/** Everyone approved, inactive ones first. */
export const ALL_LIST: ListSource<Row, NameCursor> = {
	...APPROVED_LIST,
	rows: (build, _, size, cursor) =>
		listAllDrivers(build, size, cursor && { ...cursor, isActive: cursor.isActive === 1 }),
};

/** Pending applications, oldest first. */
export const PENDING_LIST: ListSource<Row, { readonly appliedAt: number; readonly id: string }> = {
	cursors: applicationCursors,
	cursorOf: ({ appliedAt, id }) => ({ appliedAt: appliedAt ?? 0, id }),
	idOf,
	rows: (build, _, size, after) => listPendingDrivers(build, size, after),
	changes: changesOf(APPLICATION_CHANGES),
};
