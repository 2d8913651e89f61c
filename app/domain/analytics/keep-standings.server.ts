/**
 * Builds the standings of a date ahead, page by page, and clears away those of dates that are over
 * (docs/decisions/0056). Triggers keep the set of today; drivers whose figures change while a set
 * is being built are marked, and worked out again here.
 */
import { sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { standingSets } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";
import { dateIn } from "../../values/calendar-date.ts";
import type { SystemContext } from "../context.ts";
import { DEFAULT_SETTINGS, type Thresholds, toFleetSettings } from "../settings/definitions.ts";
import { selectSettings } from "../settings/queries.server.ts";
import { dayNumber } from "./blocks.ts";
import { columnsOf, hasOtherThresholds } from "./standing-thresholds.server.ts";
import { setOf } from "./standing-windows.ts";

/** People looked at, drivers worked out again, and old rows removed, in one trip. */
const PAGE = 300;
/** Trips made in one run; the next minute's goes on. */
const TRIPS_PER_RUN = 20;
/** A date's set is begun so long before its midnight: 300,000 drivers' time. */
const AHEAD_MS = 2 * 3_600_000;

/** How far the sets are. */
export type Keeping = {
	/** True when every set that is wanted is complete and nobody is marked. */
	readonly isDone: boolean;
	readonly trips: number;
};

/** Takes the next steps towards the sets of today and, late in the day, of tomorrow. */
export async function keepStandings(system: SystemContext, timeZone: string): Promise<Keeping> {
	const { db, now } = system;
	const today = dateIn(timeZone, now);
	const coming = dateIn(timeZone, now + AHEAD_MS);
	return advance(db, today, coming === today ? [today] : [today, coming]);
}

/** Throws every set away and builds the one of a date whole: for the operator's tools. */
export async function rebuildStandings(db: Database, today: CalendarDate): Promise<void> {
	while (!(await advance(db, today, [today])).isDone);
}

/** The statements that forget every set; the screens add up drivers until there is one again. */
export const forgetStandings = ({ build }: Pick<Database, "build">) => ({
	noSets: build.run(sql`delete from standing_sets where end_day >= 0`),
	noStandings: build.run(sql`delete from standings where end_day >= 0`),
	noMarks: build.run(sql`delete from standing_marks where driver_id >= ''`),
});

async function advance(
	db: Database,
	today: CalendarDate,
	wanted: readonly CalendarDate[],
): Promise<Keeping> {
	const { chosen } = await db.batch({ chosen: selectSettings() });
	const thresholds = toFleetSettings(chosen, DEFAULT_SETTINGS);
	for (let trips = 1; ; trips++) {
		const { left } = await db.batch(stepStatements(db.build, today, wanted, thresholds));
		const isDone = left[0]?.work === 0;
		if (isDone || trips === TRIPS_PER_RUN) return { isDone, trips };
	}
}

/** The next person of the page that fills the earliest unfinished set. */
const BUILDING = sql`(select end_day from standing_sets where state = 'building' order by end_day limit 1)`;
const REACHED = sql`(select built_to from standing_sets where state = 'building' order by end_day limit 1)`;
const NEXT_PEOPLE = sql`(select id from users where id > ${REACHED} order by id limit ${PAGE})`;
const MARKED = sql`(select driver_id from standing_marks where driver_id >= '' order by driver_id limit ${PAGE})`;

/** One step: every statement finds its own work, so that two runs at once do no harm. */
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
		// Of a date that is over, of a zone that has changed, or made with other thresholds.
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
					.values({ ...setOf(date), ...columnsOf(thresholds) })
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
