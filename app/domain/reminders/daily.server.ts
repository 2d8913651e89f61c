/**
 * The day's reminders, from 7:00 in the fleet's time zone: first the owners of tokens that expire
 * soon, on Mondays the administrators' digest, then the drivers, some in each run.
 */
import { sql } from "drizzle-orm";
import { type CalendarDate, dateIn } from "../../values/calendar-date.ts";
import { setFleetUnits } from "../../values/fleet-units.ts";
import { systemEntry } from "../kernel/audit-entry.server.ts";
import type { SystemContext } from "../kernel/context.ts";
import {
	claimStep,
	continueStatement,
	finishStatement,
	type Step,
} from "../kernel/daily-task.server.ts";
import { toFleetSettings } from "../kernel/fleet-settings.ts";
import type { Site } from "../mail/queue.server.ts";
import { KIND } from "../people/email-choices.ts";
import { selectSettings } from "../settings/queries.server.ts";
import { queueExpiryEmails } from "../tokens/emails.server.ts";
import { selectExpiringTokens } from "../tokens/queries.server.ts";
import type { ReminderContext } from "./context.server.ts";
import { digestFigures, digestStatements, queueDigest } from "./digest.server.ts";
import { digestText } from "./digest.ts";
import { queueDriverReminders, selectPageEnd } from "./drivers.server.ts";
import { isDigestDay, isReminderTime } from "./rules.ts";

const NAME = "reminders";
/** People per trip, and trips per run. */
const PAGE_SIZE = 500;
const PAGES_PER_RUN = 2;

/** How many were reminded, and how many got the digest. */
export type ReminderCounts = { readonly drivers: number; readonly administrators: number };

/**
 * Takes the next step of today's reminders, if it is late enough and they aren't finished.
 * @param pageSize people per trip
 * @returns the day's counts if this step was the last one
 */
export async function dailyReminders(
	system: SystemContext,
	timeZone: string,
	site: Site & { readonly appName: string },
	pageSize = PAGE_SIZE,
): Promise<ReminderCounts | undefined> {
	const { db, now } = system;
	if (!isReminderTime(timeZone, now)) return undefined;
	const today = dateIn(timeZone, now);
	const claimed = await claimStep(db, NAME, today, now);
	if (!claimed) return undefined;
	const step = stepOfToday(claimed, today);
	const { settings } = await db.batch({ settings: selectSettings() });
	const chosen = toFleetSettings(settings, { fleetName: site.appName });
	setFleetUnits(chosen);
	const occasion = { now, today, timeZone, site, settings: chosen };
	if (step.after === undefined) {
		await warnOfTokens(system, occasion);
		if (isDigestDay(today)) await sendDigest(system, occasion);
	}
	let after: string | undefined = step.after ?? "";
	for (let page = 0; page < PAGES_PER_RUN && after !== undefined; page++)
		after = await queuePage(system, occasion, after, pageSize);
	const counts = await countQueued(system, step.counts);
	if (after === undefined) return finish(system, counts, today);
	const next = { cursor: `${today} ${after}`, counts };
	await db.batch({ step: continueStatement(db.build, NAME, next, now) });
	return undefined;
}

type Progress = { readonly after: string | undefined; readonly counts: ReminderCounts };

/** Where today's run continues; yesterday's remainder starts over. */
function stepOfToday({ cursor, counts }: Step, today: CalendarDate): Progress {
	const [date, after] = cursor?.split(" ") ?? [];
	if (date !== today) return { after: undefined, counts: { drivers: 0, administrators: 0 } };
	return {
		after,
		counts: { drivers: counts.drivers ?? 0, administrators: counts.administrators ?? 0 },
	};
}

/** @returns the last person of the page; nothing after the last page */
async function queuePage(
	{ db }: SystemContext,
	occasion: ReminderContext,
	after: string,
	pageSize: number,
): Promise<string | undefined> {
	const { end } = await db.batch({
		queue: queueDriverReminders(db.build, occasion, after, pageSize),
		end: selectPageEnd(db.build, after, pageSize),
	});
	return end[0]?.id;
}

/** Tells owners of the tokens that expire within a week. */
async function warnOfTokens({ db }: SystemContext, occasion: ReminderContext): Promise<void> {
	const { tokens } = await db.batch({ tokens: selectExpiringTokens(db.build, occasion.now) });
	if (tokens.length > 0) await db.batch(queueExpiryEmails(db.build, tokens, occasion));
}

async function sendDigest({ db }: SystemContext, occasion: ReminderContext): Promise<void> {
	const answers = await db.batch(digestStatements(db.build, occasion.today));
	const words = digestText(digestFigures(answers, occasion), occasion.site.origin);
	if (words) await db.batch({ queue: queueDigest(db.build, occasion, words) });
}

/** The day's counts plus what this run queued, which all has the run's timestamp. */
async function countQueued(
	{ db, now }: SystemContext,
	before: ReminderCounts,
): Promise<ReminderCounts> {
	const countKinds = (kinds: readonly string[]) =>
		sql`coalesce(sum(kind in (${sql.join(
			kinds.map((kind) => sql`${kind}`),
			sql`, `,
		)})), 0)`;
	const { queued } = await db.batch({
		queued: db.build.all<ReminderCounts>(sql`select
			${countKinds([KIND.miles, KIND.receipts, KIND.both])} as drivers,
			${countKinds([KIND.digest])} as administrators from mails where created_at = ${now}`),
	});
	const [run = { drivers: 0, administrators: 0 }] = queued;
	return {
		drivers: before.drivers + run.drivers,
		administrators: before.administrators + run.administrators,
	};
}

async function finish(
	system: SystemContext,
	counts: ReminderCounts,
	today: CalendarDate,
): Promise<ReminderCounts> {
	const { db, now } = system;
	await db.batch({
		finish: finishStatement(db.build, NAME, today, now),
		...(counts.drivers + counts.administrators > 0
			? {
					audit: systemEntry(system, {
						action: "reminders.queue",
						entity: "reminders",
						entityId: today,
						after: counts,
					}),
				}
			: {}),
	});
	return counts;
}
