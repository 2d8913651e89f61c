/** What is logged of a request. */
import { hmac } from "@oslojs/crypto/hmac";
import { SHA256 } from "@oslojs/crypto/sha2";
import { encodeHexLowerCase } from "@oslojs/encoding";
import type { RequestContext } from "../auth/request-context.ts";
import { parseSettings } from "../env.server.ts";
import { countBytes, countWhole, type StreamEnd } from "./count-bytes.ts";
import { describeError } from "./describe-error.ts";
import { writeMetrics } from "./metrics.ts";
import type { Arrival } from "./request-context.ts";

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

/**
 * The answer, which logs its line when it is over: only then is known what it cost and how long it
 * was. One that breaks on the way is an error.
 * @param milliseconds how long ago the request came in
 */
export async function logWhenSent(
	arrival: Arrival,
	response: Response,
	context: RequestContext | undefined,
	milliseconds: () => number,
): Promise<Response> {
	const { status } = response;
	const log = (bytes: number, end: StreamEnd) => {
		const sent = { status, milliseconds: milliseconds(), bytes, end };
		console.log(JSON.stringify(logLine(arrival, context, sent)));
		const { method, url } = arrival.request;
		const d1 = context?.db.cost ?? { rows: 0, trips: 0, milliseconds: 0 };
		writeMetrics(arrival.env, { ...sent, method, pathname: new URL(url).pathname, d1 });
	};
	if (!response.body) {
		log(0, "sent");
		return response;
	}
	let over = () => {};
	const isOver = new Promise<void>((resolve) => {
		over = resolve;
	});
	arrival.execution.waitUntil(isOver);
	const onEnd = (bytes: number, end: StreamEnd, error?: unknown) => {
		if (end === "failed")
			console.error(
				JSON.stringify({
					level: "error",
					requestId: arrival.requestId,
					error: describeError(error),
				}),
			);
		log(bytes, end);
		over();
	};
	const length = response.headers.get("Content-Length");
	const body =
		length === null && isWhole(response, context)
			? countWhole(new Uint8Array(await response.arrayBuffer()), onEnd)
			: countBytes(response.body, onEnd);
	// The runtime sends a length only for a body of its own.
	return new Response(
		length ? body.pipeThrough(new FixedLengthStream(Number(length))) : body,
		response,
	);
}

/** Whether an answer is in memory already: a document, or the JSON of a call that doesn't stream. */
function isWhole({ headers }: Response, context: RequestContext | undefined): boolean {
	const type = headers.get("Content-Type") ?? "";
	if (type.startsWith("text/html")) return true;
	return type.startsWith("application/json") && context?.rule.isStreamed !== true;
}

/** One line a request: fixed keys, no cookies, codes, bodies or addresses of people. */
export function logLine(
	{ request, env, now, requestId }: Pick<Arrival, "request" | "env" | "now" | "requestId">,
	context: RequestContext | undefined,
	sent: { status: number; milliseconds: number; bytes: number; end: StreamEnd },
) {
	const address = request.headers.get("CF-Connecting-IP");
	return {
		requestId,
		method: request.method,
		path: new URL(request.url).pathname.replace(/\p{Cc}/gu, "").slice(0, 256),
		...sent,
		...(context?.userId ? { userId: context.userId } : {}),
		...(address
			? { client: clientFingerprint(address, parseSettings(env).cookieSecret, now) }
			: {}),
		...(context ? { d1: context.db.cost } : {}),
	};
}
