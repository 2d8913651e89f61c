/**
 * What runs beside requests: sending mail, after a change and every minute, and the day's reminders,
 * sweep, check of the books, sealing of the audit and export, a step a minute.
 */
import { Database } from "../db/client.server.ts";
import { keepStandings } from "../domain/analytics/keep-standings.server.ts";
import { sealAudit } from "../domain/audit/seal.server.ts";
import { deliverMail } from "../domain/mail/delivery.server.ts";
import { gatherNotices } from "../domain/mail/notices.server.ts";
import { sweepStatements } from "../domain/statements/sweep.server.ts";
import { checkBooks } from "../domain/upkeep/books-check.server.ts";
import { dailySweep } from "../domain/upkeep/sweep.server.ts";
import { type Env, parseSettings } from "../env.server.ts";
import { describeError } from "./describe-error.ts";
import { createTransport } from "./mail-transport.ts";
import { tellFault } from "./tell-fault.ts";

/** A task failed: logged, and told. */
async function taskFault(env: Env, task: string, error: unknown, now: number): Promise<void> {
	console.error(JSON.stringify({ level: "error", [task]: describeError(error) }));
	await tellFault(env, error, { task, now });
}

/**
 * Sends the mail that is due, when a provider is configured. A failure is shown to administrators
 * beside its message; here it is only logged.
 */
export async function sendDueMail(env: Env, clock: () => number): Promise<void> {
	const { mail } = parseSettings(env);
	if (!mail) return;
	try {
		const { sent, failed } = await deliverMail(new Database(env.DB), createTransport(mail), clock);
		if (sent + failed > 0) console.log(JSON.stringify({ mail: { sent, failed } }));
	} catch (error) {
		await taskFault(env, "mail", error, clock());
	}
}

/** Queues the administrators' digest when it is due, whether or not mail can leave. */
export async function runGathering(env: Env, now: number): Promise<void> {
	try {
		await gatherNotices(new Database(env.DB), now);
	} catch (error) {
		await taskFault(env, "notices", error, now);
	}
}

/** Sweeps statements that have waited long enough, unless the operator has turned that off. */
export async function runStatementSweep(env: Env, now: number): Promise<void> {
	if (!parseSettings(env).sweeps) return;
	try {
		await sweepStatements({ role: "system", db: new Database(env.DB), now }, env.RECEIPTS);
	} catch (error) {
		await taskFault(env, "sweep", error, now);
	}
}

/**
 * Takes the next step of the day's reminders, and logs one line when the day's are done. A failure
 * is logged, and a later minute tries again.
 */
export async function runReminderStep(env: Env, now: number): Promise<void> {
	const { timeZone, appName, origin } = parseSettings(env);
	try {
		// Loaded when it is wanted: no request waits for it at the Worker's start.
		const { dailyReminders } = await import("../domain/reminders/daily.server.ts");
		const system = { role: "system", db: new Database(env.DB), now } as const;
		const reminded = await dailyReminders(system, timeZone, { appName, origin });
		if (reminded) console.log(JSON.stringify({ reminders: reminded }));
	} catch (error) {
		await taskFault(env, "reminders", error, now);
	}
}

/**
 * Takes the next step of the day's sweep, unless the operator has turned it off, and logs one line
 * when the day's is done. A failure is logged, and the next minute tries again.
 */
export async function runSweepStep(env: Env, now: number): Promise<void> {
	const { sweeps, timeZone, retention } = parseSettings(env);
	if (!sweeps) return;
	try {
		const swept = await dailySweep(
			{ role: "system", db: new Database(env.DB), now },
			env.RECEIPTS,
			timeZone,
			retention,
		);
		if (swept) console.log(JSON.stringify({ sweep: swept }));
	} catch (error) {
		await taskFault(env, "sweep", error, now);
	}
}

/**
 * Takes the next step of the day's check of the books, and logs one line when it is done: an error
 * where they don't close.
 */
export async function runBooksStep(env: Env, now: number): Promise<void> {
	try {
		const books = await checkBooks(
			{ role: "system", db: new Database(env.DB), now },
			parseSettings(env).timeZone,
		);
		if (books?.differences) {
			console.error(JSON.stringify({ level: "error", books }));
			const words = `The books of ${books.differences} drivers don't close`;
			await tellFault(env, new Error(words), { task: "books", now });
		}
		if (books && !books.differences) console.log(JSON.stringify({ books }));
	} catch (error) {
		await taskFault(env, "books", error, now);
	}
}

/**
 * Takes the next step of the day's sealing of the audit, and logs the last seal when it is done: a
 * seal proves something only by what left the database with it.
 */
export async function runSealStep(env: Env, now: number): Promise<void> {
	try {
		const auditSeal = await sealAudit(
			{ role: "system", db: new Database(env.DB), now },
			parseSettings(env).timeZone,
		);
		if (auditSeal) console.log(JSON.stringify({ auditSeal }));
	} catch (error) {
		await taskFault(env, "auditSeal", error, now);
	}
}

/**
 * Takes the next step of forgetting pseudonymized drivers in the audit, and logs one line for what
 * it has done.
 */
export async function runErasureStep(env: Env, now: number): Promise<void> {
	try {
		const { eraseAuditTexts } = await import(
			"../domain/personal-data/commands/erase-audit.server.ts"
		);
		const erased = await eraseAuditTexts(
			{ role: "system", db: new Database(env.DB), now },
			new Database(env.ARCHIVE),
		);
		if (erased) console.log(JSON.stringify({ erasure: erased }));
	} catch (error) {
		await taskFault(env, "erasure", error, now);
	}
}

/**
 * Takes the next step of the nightly export, when a bucket for it is bound, and logs one line when
 * the night's is done. A failure is logged, and a later minute goes on.
 */
export async function runExportStep(env: Env, now: number): Promise<void> {
	if (!env.BACKUPS) return;
	const { timeZone, sweeps } = parseSettings(env);
	try {
		const { nightlyExport } = await import("../domain/backups/nightly.server.ts");
		const exported = await nightlyExport(
			{ role: "system", db: new Database(env.DB), now },
			{ receipts: env.RECEIPTS, backups: env.BACKUPS },
			timeZone,
			{ sweeps, archive: new Database(env.ARCHIVE) },
		);
		if (exported) console.log(JSON.stringify({ export: exported }));
	} catch (error) {
		await taskFault(env, "export", error, now);
	}
}

/** Keeps the standings of today, and late in the day builds those of tomorrow. */
export async function runStandingsStep(env: Env, now: number): Promise<void> {
	try {
		const system = { role: "system", db: new Database(env.DB), now } as const;
		const { isDone, trips } = await keepStandings(system, parseSettings(env).timeZone);
		if (!isDone || trips > 1) console.log(JSON.stringify({ standings: { isDone, trips } }));
	} catch (error) {
		await taskFault(env, "standings", error, now);
	}
}
