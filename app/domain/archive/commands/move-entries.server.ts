/**
 * Moves a driver's entries of closed years into the archive, a page at a time: copied, read back
 * and compared, then removed. If it is interrupted, the next call continues: an entry is always in
 * at least one of the databases, and readers of both use it once.
 */
import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../../db/client.server.ts";
import type { CalendarDate } from "../../../values/calendar-date.ts";
import type { OperatorContext } from "../../kernel/context.ts";
import { KEPT_ENTRIES } from "../rules.ts";
import { COLUMNS, ENTRY, selectKept } from "../store.server.ts";

/** Entries per page; each is a statement of the archive's batch. */
const PAGE = 100;

/** How many entries were found and moved. */
export type MovedPage = {
	readonly found: number;
	readonly moved: number;
	/** Whether the nightly export is running: nothing is removed until it has ended. */
	readonly isExporting: boolean;
};

/**
 * The next entries to move, earliest first. What stays: a driver's latest entries, the last one
 * before the open years (the next one's start is compared with it), what an administrator voided
 * (the audit finds its driver by it), and what a remaining entry corrects.
 */
function selectMovable(build: Builder, driverId: string, closedTo: CalendarDate) {
	const latest = (condition = sql`1`) => sql`from mileage_logs
		where driver_id = ${driverId} and ${condition}
		order by driven_on desc, end_miles desc, id desc`;
	return build.all<{ id: string; entry: string }>(sql`
		select id, ${ENTRY} as entry from mileage_logs as log
		where driver_id = ${driverId} and driven_on <= ${closedTo}
			and (driven_on, end_miles, id) < (select driven_on, end_miles, id
				${latest()} limit 1 offset ${KEPT_ENTRIES - 1})
			and id is not (select id
				${latest(sql`voided_at is null and driven_on <= ${closedTo}`)} limit 1)
			and (voided_by is null or voided_by = driver_id)
			and not exists (select 1 from mileage_logs as correction
				where correction.corrects_id = log.id)
		order by driven_on, end_miles, id limit ${PAGE}`);
}

const names = sql.raw(COLUMNS.join(", "));
const renewed = sql.raw(COLUMNS.map((name) => `${name} = excluded.${name}`).join(", "));

/** Stores an entry, replacing an earlier copy. */
function keepEntry(build: Builder, entry: string) {
	const values: unknown[] = JSON.parse(entry);
	const list = sql.join(
		values.map((value) => sql`${value}`),
		sql`, `,
	);
	return build.run(sql`insert into mileage_logs (${names}) values (${list})
		on conflict (id) do update set ${renewed}`);
}

/** Also during the first step of an export, which has no cursor yet. */
const selectExporting = (now: number) => sql`exists (select 1 from daily_tasks
	where name = 'export' and (cursor is not null or claimed_until > ${now}))`;

/**
 * Moves the next page of a driver's entries up to a date.
 * @throws Error if the archive doesn't contain what was written to it; nothing is removed then
 */
export async function moveEntries(
	{ db, now }: OperatorContext,
	archive: Database,
	driverId: string,
	closedTo: CalendarDate,
): Promise<MovedPage> {
	const { build } = db;
	const { page, exporting } = await db.batch({
		page: selectMovable(build, driverId, closedTo),
		exporting: build.all<{ now: number }>(sql`select ${selectExporting(now)} as now`),
	});
	const isExporting = exporting[0]?.now === 1;
	if (page.length === 0 || isExporting) return { found: page.length, moved: 0, isExporting };
	const entries = page.map(({ entry }) => entry);
	const ids = JSON.stringify(page.map(({ id }) => id));
	await archive.batch(
		Object.fromEntries(entries.map((entry, at) => [`entry${at}`, keepEntry(build, entry)])),
	);
	const { kept } = await archive.batch({ kept: selectKept(build, ids) });
	const found = new Set(kept.map(({ entry }) => entry));
	if (found.size !== entries.length || entries.some((entry) => !found.has(entry)))
		throw new Error(`the archive doesn't hold what was copied of driver ${driverId}`);
	// Only if it is still as copied, since a pseudonymization may have come between. A trigger of
	// this statement keeps the entry's sums.
	const { gone } = await db.batch({
		gone: build.all(sql`delete from mileage_logs
			where id in (select value from json_each(${ids}))
				and ${ENTRY} in (select value from json_each(${JSON.stringify(entries)}))
				and driven_on <= (select max(year) || '-12-31' from archived_years
					where finished_at is null)
				and not ${selectExporting(now)}
			returning id`),
	});
	return { found: page.length, moved: gone.length, isExporting };
}
