/**
 * What runs beside requests: sending mail, after a change and every minute, and the day's reminders,
 * sweep and check of the books, a step a minute.
 */
import { Database } from "../db/client.server.ts";
import { sealAudit } from "../domain/audit/seal.server.ts";
import { deliverMail } from "../domain/mail/delivery.server.ts";
import { sweepStatements } from "../domain/statements/sweep.server.ts";
import { checkBooks } from "../domain/upkeep/books-check.server.ts";
import { dailySweep } from "../domain/upkeep/sweep.server.ts";
import { type Env, parseSettings } from "../env.server.ts";
import { describeError } from "./log-line.ts";
import { createTransport } from "./mail-transport.ts";

/**
 * Sends the mail that is due, when a provider is configured. A failure is shown to administrators
 * beside its message; here it is only logged.
 */
export async function sendDueMail(env: Env, now: number): Promise<void> {
	const { mail } = parseSettings(env);
	if (!mail) return;
	try {
		const { sent, failed } = await deliverMail(new Database(env.DB), createTransport(mail), now);
		if (sent + failed > 0) console.log(JSON.stringify({ mail: { sent, failed } }));
	} catch (error) {
		console.error(JSON.stringify({ level: "error", mail: describeError(error) }));
	}
}

/** Sweeps statements that have waited long enough, unless the operator has turned that off. */
export async function runStatementSweep(env: Env, now: number): Promise<void> {
	if (!parseSettings(env).sweeps) return;
	try {
		await sweepStatements({ role: "system", db: new Database(env.DB), now }, env.RECEIPTS);
	} catch (error) {
		console.error(JSON.stringify({ level: "error", sweep: describeError(error) }));
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
		console.error(JSON.stringify({ level: "error", reminders: describeError(error) }));
	}
}

/**
 * Takes the next step of the day's sweep, unless the operator has turned it off, and logs one line
 * when the day's is done. A failure is logged, and the next minute tries again.
 */
export async function runSweepStep(env: Env, now: number): Promise<void> {
	const { sweeps, timeZone } = parseSettings(env);
	if (!sweeps) return;
	try {
		const swept = await dailySweep(
			{ role: "system", db: new Database(env.DB), now },
			env.RECEIPTS,
			timeZone,
		);
		if (swept) console.log(JSON.stringify({ sweep: swept }));
	} catch (error) {
		console.error(JSON.stringify({ level: "error", sweep: describeError(error) }));
	}
}

/** Takes the next step of the day's sealing of the audit, and logs the last seal when it is done. */
export async function runSealStep(env: Env, now: number): Promise<void> {
	try {
		const system = { role: "system", db: new Database(env.DB), now } as const;
		const sealed = await sealAudit(system, parseSettings(env).timeZone);
		if (sealed) console.log(JSON.stringify({ auditSeal: sealed }));
	} catch (error) {
		console.error(JSON.stringify({ level: "error", auditSeal: describeError(error) }));
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
		if (books?.differences) console.error(JSON.stringify({ level: "error", books }));
		else if (books) console.log(JSON.stringify({ books }));
	} catch (error) {
		console.error(JSON.stringify({ level: "error", books: describeError(error) }));
	}
}
