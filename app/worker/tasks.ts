/**
 * What runs beside requests: sending mail, after a change and every minute, and the day's sweep, a
 * step a minute.
 */
import { Database } from "../db/client.server.ts";
import { deliverMail } from "../domain/mail/delivery.server.ts";
import { sweepStatements } from "../domain/statements/sweep.server.ts";
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
