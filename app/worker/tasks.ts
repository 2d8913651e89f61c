/**
 * What runs beside requests: sending mail, after a change and every minute, and the steps of the
 * scheduled tasks. A step that fails is logged and told; a later minute tries it again.
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
import { describeError } from "./describe-error.ts";
import { createTransport } from "./mail-transport.ts";
import { tellFault } from "./tell-fault.ts";

/** What a step works with. */
type Minute = {
	readonly env: Env;
	readonly settings: Settings;
	readonly system: { readonly role: "system"; readonly db: Database; readonly now: number };
	/** UTC milliseconds as they pass, for what sends many messages. */
	readonly clock: () => number;
};

/** Takes one step; what it returns is logged under the task's name. */
type Step = (minute: Minute) => Promise<object | undefined>;

/** Runs a step, logs what it did, and tells of its failure; it never fails itself. */
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
		await tellFault(env, error, { task, now });
	}
}

/**
 * Sends the mail that is due, when a provider is configured. A message that can't be sent is shown
 * to administrators beside the person; here it is only counted.
 */
const sendMail: Step = async ({ settings, system, clock }) => {
	if (!settings.mail) return undefined;
	const mail = await deliverMail(system.db, createTransport(settings.mail), clock);
	return mail.sent + mail.failed > 0 ? mail : undefined;
};

/** The steps of every minute, in this order, by the name each has in the log. */
const STEPS: readonly (readonly [task: string, step: Step])[] = [
	// Today's standings are kept; late in the day those of tomorrow are built.
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
			// Loaded when it is due, as the rest of what is rare: no request waits for it at the start.
			const { dailyReminders } = await import("../domain/reminders/daily.server.ts");
			return dailyReminders(system, timeZone, { appName, origin });
		},
	],
	// The administrators' digest is queued when it is due, whether or not mail can leave.
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
			const words = `The books of ${books.differences} drivers don't close`;
			await tellFault(env, new Error(words), { task: "books", now: system.now });
			return undefined;
		},
	],
	// A seal proves something only by what left the database with it: it is logged.
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
];

/** Sends the mail that a change has queued, once its answer has gone. */
export const sendDueMail = (env: Env, clock: () => number): Promise<void> =>
	run(env, "mail", sendMail, clock);

/**
 * Takes the next step of everything that runs every minute.
 * @param scheduled the minute, UTC milliseconds: a late run counts to the day it was meant for
 * @param clock the same, as the time passes
 */
export async function runMinute(env: Env, scheduled: number, clock: () => number): Promise<void> {
	for (const [task, step] of STEPS) await run(env, task, step, clock, scheduled);
}
