/**
 * The rows of a list that have changed since a moment, found through the audit, so that no table
 * needs an index for it. They come in the order of their changes, earliest first.
 */
import { getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Builder } from "../../db/client.server.ts";
import { type CursorOf, cursors } from "../../values/cursor.ts";
import type { AuditAction } from "./audit-kinds.ts";

/** Which rows an audit entry about one kind of thing is about. */
export type ChangeLink = {
	/** What the entry is about. */
	readonly entity: string;
	/** Only entries of these kinds; absent for all. */
	readonly actions?: readonly AuditAction[];
	/** The rows, as a condition on `changed_row` and the audit's `entry`. */
	readonly rows: SQL;
	/**
	 * The ids under which the audit has a `changed_row`, as a list or a sub-select: it comes with the
	 * first of these entries only. Without them it comes with each that isn't on the same page.
	 */
	readonly entityIds?: SQL;
};

/** What counts as a change of a list's rows. */
export type ChangeSource = {
	readonly table: SQLiteTable;
	readonly links: readonly ChangeLink[];
	/** Which of the table's rows the list can have, as a condition on `changed_row`. */
	readonly isListed?: SQL;
	/**
	 * What the audit calls rows that may have moved to another database, each written by its owner.
	 * Their ids come as well.
	 */
	readonly moves?: string;
};

/** The row with the audit's id. */
export const isItself = (entity: string): ChangeLink => ({
	entity,
	rows: sql`changed_row.id = entry.entity_id`,
	entityIds: sql`changed_row.id`,
});

/**
 * Rows that show the name of a driver, who may only give it at the first sign-in, or had texts of
 * one who was pseudonymized.
 */
export const isOfRenamed: ChangeLink = {
	entity: "user",
	actions: [
		"driver.rename",
		"profile.complete",
		"driver.pseudonymize",
		"applicant.erase",
		"invitation.erase",
	],
	rows: sql`changed_row.driver_id = entry.entity_id`,
};

/** A position among changes: an entry of the audit, and a row that it is about. */
export const changeCursors = cursors({ at: "number", entry: "number", row: "number" });
export type ChangeCursor = CursorOf<{ at: "number"; entry: "number"; row: "number" }>;
/** After all rows of an entry. */
const LAST_ROW = 999_999_999_999_999;
/**
 * Audit entries that are looked at for a page, whatever they are about: fewer if the answer is a
 * single page.
 */
const LOOKED_AT = { page: 500, stream: 10_000 } as const;

/** A page of changes. */
export type ChangesAsk = {
	/** UTC milliseconds. */
	readonly since: number;
	readonly after: ChangeCursor | undefined;
	readonly size: number;
	/** Whether the answer is a stream of many pages. */
	readonly isStream: boolean;
};
const reachOf = ({ isStream }: ChangesAsk) => LOOKED_AT[isStream ? "stream" : "page"];

const isAbout = (name: SQL, { entity, actions }: ChangeLink): SQL =>
	actions
		? sql`${name}.entity = ${entity} and ${name}.action in (select value from json_each(${JSON.stringify(actions)}))`
		: sql`${name}.entity = ${entity}`;

const ENTRY = sql`entry`;
const EARLIER = sql`earlier`;

/** Whether no earlier entry since that moment is about the row. */
function isFirst(links: readonly ChangeLink[], since: number): SQL {
	const earlier = links.flatMap(({ entityIds, ...link }) =>
		entityIds
			? [
					sql`not exists (select 1 from audit_events as earlier indexed by audit_by_entity
						where ${isAbout(EARLIER, link as ChangeLink)} and earlier.entity_id in (${entityIds})
							and earlier.at >= ${since} and (earlier.at, earlier.id) < (entry.at, entry.id))`,
				]
			: [],
	);
	return earlier.length > 0 ? sql.join(earlier, sql` and `) : sql`1`;
}

/** The entries that are looked at, as `entry`. */
const entries = (ask: ChangesAsk) => sql`entry as materialized (
	select id, at, actor_id, action, entity, entity_id from audit_events indexed by audit_by_time
	where ${ask.after ? sql`(at, id) >= (${ask.after.at}, ${ask.after.entry})` : sql`at >= ${ask.since}`}
	order by at, id limit ${reachOf(ask)})`;

/**
 * The changed rows of a page in order, and one more if there are more, as `at, entry, row, id`.
 * @param owner only this person's rows, by `driver_id`
 */
function placesSql(source: ChangeSource, ask: ChangesAsk, owner: SQL | string | undefined): SQL {
	const { table, links, isListed } = source;
	const { since, after, size } = ask;
	const past = after
		? sql`and (entry.at, entry.id, changed_row.rowid) > (${after.at}, ${after.entry}, ${after.row})`
		: sql``;
	const own = owner === undefined ? sql`` : sql`and changed_row.driver_id = ${owner}`;
	const listed = isListed ? sql`and ${isListed}` : sql``;
	const branches = links.map(
		(
			link,
		) => sql`select entry.at as at, entry.id as entry, changed_row.rowid as row, changed_row.id as id
			from entry cross join ${sql.identifier(getTableName(table))} as changed_row
			where ${isAbout(ENTRY, link)} and ${link.rows} ${past} ${own} ${listed}
				and ${isFirst(links, since)}`,
	);
	if (source.moves) branches.push(movedSql(source.moves, ask, table, owner));
	return sql`with ${entries(ask)}
		select at, entry, row, id from (${sql.join(branches, sql` union all `)})
		order by at, entry, row limit ${size + 1}`;
}

/** The rows that aren't in the table any more, each with its first entry. */
function movedSql(
	entity: string,
	{ since, after }: ChangesAsk,
	table: SQLiteTable,
	owner: SQL | string | undefined,
): SQL {
	const itself = isItself(entity);
	const past = after
		? sql`and (entry.at, entry.id, 0) > (${after.at}, ${after.entry}, ${after.row})`
		: sql``;
	return sql`select entry.at as at, entry.id as entry, 0 as row, entry.entity_id as id from entry
		where ${isAbout(ENTRY, itself)} ${past} and not exists (
			select 1 from ${table} where ${table}.id = entry.entity_id)
			${owner === undefined ? sql`` : sql`and entry.actor_id = ${owner}`}
			and ${isFirst([{ ...itself, entityIds: sql`entry.entity_id` }], since)}`;
}

type Place = ChangeCursor & { readonly id: string };

/**
 * The statements that find a page: the rows' places, and the last entry that was looked at.
 * @param owner only this person's rows
 */
export function selectChanges(
	build: Builder,
	source: ChangeSource,
	ask: ChangesAsk,
	owner?: SQL | string,
) {
	return {
		places: build.all<Place>(placesSql(source, ask, owner)),
		reach: build.all<{ at: number; last: number; count: number }>(sql`with ${entries(ask)}
			select at, id as last, (select count(*) from entry) as count from entry
			order by at desc, id desc limit 1`),
	};
}

/** The ids of a page's rows, for the statement of the same batch that reads them. */
export const changedIds = (source: ChangeSource, ask: ChangesAsk, owner?: SQL | string): SQL =>
	sql`(select id from (${placesSql(source, ask, owner)}))`;

/** What `selectChanges` returned. */
export type FoundChanges = {
	readonly places: readonly Place[];
	readonly reach: readonly { readonly at: number; readonly last: number; readonly count: number }[];
};

/**
 * Each row's id once, in the order of their changes, and the position of the next page, if there is
 * one: after a row, or after the entries that were looked at.
 */
export function pageOfChanges(
	{ places, reach }: FoundChanges,
	ask: ChangesAsk,
): { readonly ids: readonly string[]; readonly next: ChangeCursor | undefined } {
	const { size } = ask;
	const ids = [...new Set(places.slice(0, size).map(({ id }) => id))];
	const last = places[size - 1];
	if (places.length > size && last)
		return { ids, next: { at: last.at, entry: last.entry, row: last.row } };
	const [furthest] = reach;
	return furthest && furthest.count >= reachOf(ask)
		? { ids, next: { at: furthest.at, entry: furthest.last, row: LAST_ROW } }
		: { ids, next: undefined };
}
