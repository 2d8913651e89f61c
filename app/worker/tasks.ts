/**
 * What runs beside requests: sending mail after each change and every minute, and the scheduled
 * tasks step by step. A failed step is logged and reported, and tried again a minute later, or once
 * its claim expires if it has one.
 */
import { Database } from "../db/client.server.ts";
import { keepStandings } from "../domain/analytics/keep-standings.server.ts";
import { sealAudit } from "../domain/audit/seal.server.ts";
import { deliverMail } from "../domain/mail/delivery.server.ts";
import { gatherNotices } from "../domain/mail/notices.server.ts";
import { sweepStatements } from "../domain/statements/sweep.server.ts";
import { checkBooks } from "../domain/upkeep/books-check.server.ts";
import { dailySweep } from "../domain/upkeep/sweep.server.ts";
import { type Env, parseSettings, type Settings } from "../env.server.ts";
import { pluralize } from "../values/count.ts";
import { describeError } from "../values/describe-error.ts";
import { createTransport } from "./mail-transport.ts";
import { reportFault } from "./report-fault.ts";
import { tellWrongSettings } from "./wrong-settings.ts";

/** What a step works with. */
type Minute = {
	readonly env: Env;
	readonly settings: Settings;
	readonly system: { readonly role: "system"; readonly db: Database; readonly now: number };
	/** The current time in UTC milliseconds; sending many messages takes a while. */
	readonly clock: () => number;
};

/** Takes one step. What it returns is logged under the task's name. */
type Step = (minute: Minute) => Promise<object | undefined>;

/** Runs a step, logs its result and reports its failure. It never throws. */
async function run(
	env: Env,
	task: string,
	step: Step,
	clock: () => number,
	now = clock(),
): Promise<void> {
	try {
		const system = { role: "system", db: new Database(env.DB), now } as const;
		const outcome = await step({ env, settings: parseSettings(env), system, clock });
		if (outcome) console.log(JSON.stringify({ [task]: outcome }));
	} catch (error) {
		console.error(JSON.stringify({ level: "error", [task]: describeError(error) }));
		await reportFault(env, error, { task, now });
	}
}

/**
 * Sends the mail that is due, if a provider is configured. A message that can't be sent is shown to
 * administrators beside its recipient; the webhook is told of those that aren't retried, and after
 * half an hour, then hourly, that the provider accepts none.
 */
const sendMail: Step = async ({ env, settings, system, clock }) => {
	if (!settings.mail) return undefined;
	const transport = createTransport(settings.mail, settings.origin);
	const { refusedSince, ...mail } = await deliverMail(system.db, transport, clock);
	if (mail.givenUp > 0) {
		const words = `Emails given up: ${mail.givenUp}; the Email page says why`;
		await reportFault(env, new Error(words), { task: "mail", now: system.now });
	}
	const minutes = refusedSince === undefined ? 0 : Math.floor((clock() - refusedSince) / 60_000);
	if (minutes % 60 === 30) {
		const words = `Emails are waiting for the provider: ${minutes} minutes; the Email page says why`;
		await reportFault(env, new Error(words), { task: "mail", now: system.now });
	}
	return mail.sent + mail.failed + mail.givenUp > 0 ? mail : undefined;
};

/** The steps of every minute in order, with the name each has in the log. */
export const STEPS: readonly (readonly [task: string, step: Step])[] = [
	["settings", async ({ env, system }) => void (await tellWrongSettings(env, system.now))],
	// Keeps today's standings up to date, and builds tomorrow's late in the day.
	[
		"standings",
		async ({ settings, system }) => {
			const { isDone, trips } = await keepStandings(system, settings.timeZone);
			return !isDone || trips > 1 ? { isDone, trips } : undefined;
		},
	],
	[
		"reminders",
		async ({ settings: { timeZone, appName, origin }, system }) => {
			// Loaded only when it is due, like everything rare, so that it doesn't slow the Worker's
			// start.
			const { dailyReminders } = await import("../domain/reminders/daily.server.ts");
			return dailyReminders(system, timeZone, { appName, origin });
		},
	],
	// The administrators' digest is queued when it is due, even if no mail can be sent.
	["notices", async ({ system }) => void (await gatherNotices(system.db, system.now))],
	["mail", sendMail],
	[
		"sweep",
		async ({ env, settings: { sweeps, timeZone, retention }, system }) =>
			sweeps ? dailySweep(system, env.RECEIPTS, timeZone, retention) : undefined,
	],
	[
		"books",
		async ({ env, settings, system }) => {
			const books = await checkBooks(system, settings.timeZone);
			if (!books?.differences) return books;
			console.error(JSON.stringify({ level: "error", books }));
			const words = `The books don't balance: ${pluralize(books.differences, "difference")}`;
			await reportFault(env, new Error(words), { task: "books", now: system.now });
			return undefined;
		},
	],
	// A seal only proves something once a copy is outside the database, so it is logged.
	["auditSeal", ({ settings, system }) => sealAudit(system, settings.timeZone)],
	[
		"erasure",
		async ({ env, system }) => {
			const { eraseAuditTexts } = await import(
				"../domain/personal-data/commands/erase-audit.server.ts"
			);
			return eraseAuditTexts(system, new Database(env.ARCHIVE));
		},
	],
	[
		"statements",
		async ({ env, settings, system }) =>
			void (settings.sweeps && (await sweepStatements(system, env.RECEIPTS))),
	],
	[
		"export",
		async ({ env, settings: { timeZone, sweeps }, system }) => {
			if (!env.BACKUPS) return undefined;
			const { nightlyExport } = await import("../domain/backups/nightly.server.ts");
			return nightlyExport(system, { receipts: env.RECEIPTS, backups: env.BACKUPS }, timeZone, {
				sweeps,
				archive: new Database(env.ARCHIVE),
			});
		},
	],
	// Last, because receivers may be slow.
	[
		"webhooks",
		async ({ settings: { origin }, system, clock }) => {
			const [{ deliverEvents }, { postWebhook }] = await Promise.all([
				import("../domain/webhooks/delivery.server.ts"),
				import("./webhook-transport.ts"),
			]);
			const { delivered, failed } = await deliverEvents(system, postWebhook, { origin }, clock);
			return delivered + failed > 0 ? { delivered, failed } : undefined;
		},
	],
];

/** Sends the mail queued by a change, after its response. */
export const sendDueMail = (env: Env, clock: () => number): Promise<void> =>
	run(env, "mail", sendMail, clock);

/**
 * Takes the next step of every task.
 * @param scheduled the minute in UTC milliseconds; a late run belongs to the day it was scheduled
 * for
 * @param clock the current time, in UTC milliseconds
 */
export async function runMinute(env: Env, scheduled: number, clock: () => number): Promise<void> {
	for (const [task, step] of STEPS) await run(env, task, step, clock, scheduled);
}
