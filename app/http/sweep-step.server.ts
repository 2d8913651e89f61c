/** What the scheduled handler does for the day's sweep: one step a minute, and one line in the log when the day's is done. */
import { Database } from "../db/client.server.ts";
import { dailySweep } from "../domain/upkeep/sweep.server.ts";
import { type Env, settingsOf } from "../env.server.ts";

/** Takes the next step, unless the operator has turned the sweeper off. A failure is logged, and the next minute tries again. */
export async function sweepStep(env: Env, now: number): Promise<void> {
	const { sweeps, timeZone } = settingsOf(env);
	if (!sweeps) return;
	try {
		const swept = await dailySweep(new Database(env.DB), env.RECEIPTS, timeZone, now);
		if (swept) console.log(JSON.stringify({ sweep: swept }));
	} catch (error) {
		const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
		console.error(JSON.stringify({ level: "error", sweep: fault.slice(0, 2000) }));
	}
}
