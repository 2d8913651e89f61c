/** GET /healthz: for monitors, without a session. It contains nothing about the fleet. */
import { json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { checkHealth } from "../domain/upkeep/health.server.ts";

export async function loader({ context: { env, settings, now } }: LoaderFunctionArgs) {
	const health = await checkHealth(env.DB, env.RECEIPTS, settings.mail !== undefined, now);
	const release = env.CF_VERSION_METADATA?.id;
	return json(release ? { ...health, release } : health, {
		status: health.status === "ok" ? 200 : 503,
	});
}
