/** What a monitor gets: the parts' health, and which settings are wrong. */
import { json } from "@remix-run/cloudflare";
import { checkHealth } from "../domain/upkeep/health.server.ts";
import { type Env, namesOf, type SettingFault } from "../env.server.ts";

/** @param sendsMail false if no provider is configured: then nothing is overdue */
export async function healthAnswer(
	env: Env,
	sendsMail: boolean,
	faults: readonly SettingFault[],
	now: number,
): Promise<Response> {
	const health = await checkHealth(env.DB, env.RECEIPTS, sendsMail, now);
	const isSet = faults.length === 0;
	const isWell = isSet && health.status === "ok";
	const release = env.CF_VERSION_METADATA?.id;
	return json(
		{
			...health,
			status: isWell ? "ok" : "failing",
			...(isSet ? {} : { settings: "failing", wrongSettings: namesOf(faults) }),
			...(release ? { release } : {}),
		},
		{ status: isWell ? 200 : 503 },
	);
}
