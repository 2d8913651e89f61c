/** GET /healthz: for monitors, without a session. It contains nothing about the fleet. */
import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { healthAnswer } from "../auth/health-answer.server.ts";

export function loader({ context: { env, settings, now } }: LoaderFunctionArgs) {
	return healthAnswer(env, settings.mail !== undefined, settings.faults, now);
}
