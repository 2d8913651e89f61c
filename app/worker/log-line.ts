/** What is logged of a request. */
import { hmac } from "@oslojs/crypto/hmac";
import { SHA256 } from "@oslojs/crypto/sha2";
import { encodeHexLowerCase } from "@oslojs/encoding";
import type { RequestContext } from "../auth/request-context.ts";
import { parseSettings } from "../env.server.ts";
import type { Arrival } from "./request-context.ts";

/** An error as it is logged: with its stack, and never longer than a line may be. */
export function describeError(error: unknown): string {
	return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2000);
}

const encoder = new TextEncoder();

/**
 * Which requests of a day come from one address, and nothing else: without the secret it cannot be
 * turned back, and another day's is another.
 * @param now UTC milliseconds
 */
export function clientFingerprint(address: string, cookieSecret: string, now: number): string {
	const day = new Date(now).toISOString().slice(0, 10);
	const code = hmac(SHA256, encoder.encode(cookieSecret), encoder.encode(`log ${day} ${address}`));
	return encodeHexLowerCase(code).slice(0, 12);
}

/** One line a request: fixed keys, no cookies, codes, bodies or addresses of people. */
export function logLine(
	{ request, env, now, requestId }: Pick<Arrival, "request" | "env" | "now" | "requestId">,
	response: Response,
	context: RequestContext | undefined,
	milliseconds: number,
) {
	const address = request.headers.get("CF-Connecting-IP");
	return {
		requestId,
		method: request.method,
		path: new URL(request.url).pathname.replace(/\p{Cc}/gu, "").slice(0, 256),
		status: response.status,
		milliseconds,
		...(context?.userId ? { userId: context.userId } : {}),
		...(address
			? { client: clientFingerprint(address, parseSettings(env).cookieSecret, now) }
			: {}),
		...(context ? { d1: context.db.cost } : {}),
	};
}
