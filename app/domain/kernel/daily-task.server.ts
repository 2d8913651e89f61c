/**
 * A task that runs once a day in steps of a minute each: it continues where it stopped, and no two
 * runs take the same step.
 */
import { and, eq, sql } from "drizzle-orm";
import type { Builder, Database } from "../../db/client.server.ts";
import { dailyTasks } from "../../db/schema.ts";
import type { CalendarDate } from "../../values/calendar-date.ts";

/**
 * How long a step may take before it counts as failed: as long as Cloudflare lets a scheduled run
 * live.
 */
export const STEP_LIMIT_MS = 15 * 60_000;

/** Every daily task, by its name in `daily_tasks`. */
export const DAILY_TASKS = ["sweep", "books", "reminders", "seal", "export"] as const;
export type DailyTaskName = (typeof DAILY_TASKS)[number];

/** Where a step starts, and today's counts so far. */
export type Step = {
	readonly cursor: string | null;
	readonly counts: Readonly<Record<string, number>>;
};

/**
 * Claims the next step of a task.
 * @returns nothing if today's run is finished, or another step is in progress
 */
export async function claimStep(
	db: Database,
	name: DailyTaskName,
	today: CalendarDate,
	now: number,
): Promise<Step | undefined> {
	const { claimed } = await db.batch({
		claimed: db.build.all<{ cursor: string | null; counts: string }>(sql`
			insert into daily_tasks (name, claimed_until) values (${name}, ${now + STEP_LIMIT_MS})
			on conflict (name) do update set claimed_until = excluded.claimed_until
				where claimed_until <= ${now} and (finished_on is null or finished_on < ${today})
			returning cursor, counts`),
	});
	const row = claimed[0];
	return row && { cursor: row.cursor, counts: JSON.parse(row.counts) };
}

/**
 * Records where the next step starts; a step that took too long and lost its claim records nothing.
 */
export function continueStatement(
	build: Builder,
	name: DailyTaskName,
	{ cursor, counts }: Step,
	claimedAt: number,
) {
	return build
		.update(dailyTasks)
		.set({ cursor, counts: JSON.stringify(counts), claimedUntil: 0 })
		.where(claim(name, claimedAt));
}

/** Records that the task is done for today. */
export function finishStatement(
	build: Builder,
	name: DailyTaskName,
	today: CalendarDate,
	claimedAt: number,
) {
	return build
		.update(dailyTasks)
		.set({ cursor: null, counts: "{}", finishedOn: today, claimedUntil: 0 })
		.where(claim(name, claimedAt));
}

const claim = (name: DailyTaskName, claimedAt: number) =>
	and(eq(dailyTasks.name, name), eq(dailyTasks.claimedUntil, claimedAt + STEP_LIMIT_MS));
