/** Reports wrong settings to the log and the webhook: at once, and then hourly. */
import { type Env, parseSettings, SettingsError } from "../env.server.ts";

const PAUSE_MS = 3_600_000;
/** When this isolate last did so, in UTC ms. */
let toldAt: number | undefined;

/** Reports wrong settings that the Worker can do without; others stop every request. */
export async function tellWrongSettings(env: Env, now: number): Promise<void> {
	const { faults } = parseSettings(env);
	if (faults.length === 0) return;
	if (toldAt !== undefined && Math.abs(now - toldAt) < PAUSE_MS) return;
	toldAt = now;
	const { message } = new SettingsError(faults);
	console.error(JSON.stringify({ level: "error", settings: message }));
	const { reportFault } = await import("./report-fault.ts");
	await reportFault(env, new Error(message), { task: "settings", now });
}
