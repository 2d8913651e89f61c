/**
 * Builds the standings of a date in advance, page by page, and clears those of past dates
 * (docs/decisions/0056). Triggers keep today's set up to date; drivers whose figures change while a
 * set is being built are marked, and recalculated here.
 */
import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { standingSets } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { dateIn } from "../../values/calendar-date.ts";
import type { SystemContext } from "../kernel/context.ts";
import { DEFAULT_SETTINGS, type Thresholds, toFleetSettings } from "../kernel/fleet-settings.ts";
import { selectSettings } from "../settings/queries.server.ts";
import { dayNumber } from "./blocks.ts";
import { hasOtherThresholds, thresholdColumns } from "./standing-thresholds.server.ts";
import { setWindows } from "./standing-windows.ts";

/** People read, drivers recalculated, and old rows removed, per trip. */
const PAGE = 300;
/** Trips per run; the next minute's continues. */
const TRIPS_PER_RUN = 20;
/** How long before its midnight a date's set is started: enough for 300,000 drivers. */
const AHEAD_MS = 2 * 3_600_000;

/** The state of the sets. */
export type StandingsProgress = {
	/** Whether every needed set is complete and nobody is marked. */
	readonly isDone: boolean;
	readonly trips: number;
};

/** Takes the next steps toward the sets of today and, late in the day, of tomorrow. */
export async function keepStandings(
	system: SystemContext,
	timeZone: string,
): Promise<StandingsProgress> {
	const { db, now } = system;
	const today = dateIn(timeZone, now);
	const coming = dateIn(timeZone, now + AHEAD_MS);
	return advance(db, today, coming === today ? [today] : [today, coming]);
}

/** Discards every set and completely builds the one of a date, for the operator's tools. */
export async function rebuildStandings(db: Database, today: CalendarDate): Promise<void> {
	while (!(await advance(db, today, [today])).isDone);
}

/** The statements that delete every set; the screens add up drivers until there is one again. */
export const forgetStandings = ({ build }: Pick<Database, "build">) => ({
	noSets: build.run(sql`delete from standing_sets where end_day >= 0`),
	noStandings: build.run(sql`delete from standings where end_day >= 0`),
	noMarks: build.run(sql`delete from standing_marks where driver_id >= ''`),
});

async function advance(
	db: Database,
	today: CalendarDate,
	wanted: readonly CalendarDate[],
): Promise<StandingsProgress> {
	const { chosen } = await db.batch({ chosen: selectSettings() });
	const thresholds = toFleetSettings(chosen, DEFAULT_SETTINGS);
	for (let trips = 1; ; trips++) {
		const { left } = await db.batch(stepStatements(db.build, today, wanted, thresholds));
		const isDone = left[0]?.work === 0;
		if (isDone || trips === TRIPS_PER_RUN) return { isDone, trips };
	}
}

/** The last person on the page that fills the earliest incomplete set. */
const BUILDING = sql`(select end_day from standing_sets where state = 'building' order by end_day limit 1)`;
const REACHED = sql`(select built_to from standing_sets where state = 'building' order by end_day limit 1)`;
const NEXT_PEOPLE = sql`(select id from users where id > ${REACHED} order by id limit ${PAGE})`;
const MARKED = sql`(select driver_id from standing_marks where driver_id >= '' order by driver_id limit ${PAGE})`;

/** One step. Every statement finds its own work, so that two simultaneous runs do no harm. */
function stepStatements(
	build: Builder,
	today: CalendarDate,
	wanted: readonly CalendarDate[],
	thresholds: Thresholds,
) {
	const days = sql.join(
		wanted.map((date) => sql`${dayNumber(date)}`),
		sql`, `,
	);
	return {
		// For a past date, an earlier time zone or other thresholds.
		over: build.run(sql`update standing_sets set state = 'over'
			where state in ('building', 'built', 'live') and (end_day not in (${days})
				or ${hasOtherThresholds(thresholds)})`),
		cleared: build.run(sql`delete from standings where (end_day, driver_id) in (
			select standings.end_day, standings.driver_id from standing_sets cross join standings on standings.end_day = standing_sets.end_day
			where standing_sets.state = 'over' limit ${PAGE})`),
		gone: build.run(sql`delete from standing_sets where state = 'over'
			and not exists (select 1 from standings where standings.end_day = standing_sets.end_day)`),
		...Object.fromEntries(
			wanted.map((date) => [
				`begun${dayNumber(date)}`,
				build
					.insert(standingSets)
					.values({ ...setWindows(date), ...thresholdColumns(thresholds) })
					.onConflictDoNothing(),
			]),
		),
		filled: build.run(sql`insert into standing_rebuilds (end_day, driver_id)
			select ${BUILDING}, page.id from ${NEXT_PEOPLE} as page`),
		reached: build.run(sql`update standing_sets set
			state = iif((select count(*) from ${NEXT_PEOPLE}) < ${PAGE}, 'built', state),
			built_to = coalesce((select max(id) from ${NEXT_PEOPLE} as page), built_to)
			where end_day = ${BUILDING}`),
		again: build.run(sql`insert into standing_rebuilds (end_day, driver_id)
			select standing_sets.end_day, marked.driver_id from ${MARKED} as marked cross join standing_sets
			where standing_sets.state in ('building', 'built')`),
		unmarked: build.run(sql`delete from standing_marks where driver_id in ${MARKED}`),
		live: build.run(sql`update standing_sets set state = 'live'
			where end_day = ${dayNumber(today)} and state = 'built' and not exists (select 1 from standing_marks where driver_id >= '')`),
		left: build.all<{ work: number }>(sql`select
			(select count(*) from standing_sets where state in ('building', 'over')) + exists (select 1 from standing_marks where driver_id >= '') as work`),
	};
}
