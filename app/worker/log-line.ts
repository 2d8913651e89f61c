/** What is logged for each request. */
import { encodeHexLowerCase } from "@oslojs/encoding";
import type { RequestContext } from "../auth/request-context.ts";
import { parseSettings } from "../env.server.ts";
import { describeError } from "../values/describe-error.ts";
import { countBytes, type StreamEnd } from "./count-bytes.ts";
import { writeMetrics } from "./metrics.ts";
import type { IncomingRequest } from "./request-context.ts";

const encoder = new TextEncoder();

/** The key derived from each secret this isolate has seen: just one, except in tests. */
const keys = new Map<string, CryptoKey>();

async function keyOf(secret: string): Promise<CryptoKey> {
	const known = keys.get(secret);
	if (known) return known;
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const bytes = encoder.encode(secret);
	const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
	keys.set(secret, key);
	return key;
}

/**
 * Tells which of a day's requests come from the same IP address, and nothing else: it can't be
 * reversed without the secret, and it changes every day.
 * @param now UTC milliseconds
 */
export async function clientFingerprint(
	address: string,
	cookieSecret: string,
	now: number,
): Promise<string> {
	const day = new Date(now).toISOString().slice(0, 10);
	const text = encoder.encode(`log ${day} ${address}`);
	const code = await crypto.subtle.sign("HMAC", await keyOf(cookieSecret), text);
	return encodeHexLowerCase(new Uint8Array(code, 0, 6));
}

/**
 * Logs the response once it has ended, when its cost and length are known. One that fails midway is
 * logged as an error; one that is already complete is logged at once.
 * @param milliseconds since the request arrived
 * @param whole how an already complete response ends
 */
export async function logWhenSent(
	arrival: IncomingRequest,
	response: Response,
	context: RequestContext | undefined,
	milliseconds: () => number,
	whole: StreamEnd = "sent",
): Promise<Response> {
	const { status } = response;
	const client = await clientOf(arrival);
	const log = (bytes: number, end: StreamEnd) => {
		const sent = { status, milliseconds: milliseconds(), bytes, end };
		console.log(JSON.stringify(logLine(arrival, context, client, sent)));
		const { method, url } = arrival.request;
		const d1 = context?.db.cost ?? { rows: 0, trips: 0, milliseconds: 0 };
		writeMetrics(arrival.env, { ...sent, method, pathname: new URL(url).pathname, d1 });
	};
	if (!response.body) {
		log(0, whole);
		return response;
	}
	const length = response.headers.get("Content-Length");
	if (length === null && isWhole(response, context)) {
		const bytes = await response.arrayBuffer();
		log(bytes.byteLength, whole);
		return new Response(bytes, response);
	}
	let over = () => {};
	const isOver = new Promise<void>((resolve) => {
		over = resolve;
	});
	arrival.execution.waitUntil(isOver);
	const onEnd = (bytes: number, end: StreamEnd, error?: unknown) => {
		// An unavailable database has been logged and reported already.
		if (end === "failed" && !(error instanceof Response)) {
			console.error(
				JSON.stringify({
					level: "error",
					requestId: arrival.requestId,
					error: describeError(error),
				}),
			);
			context?.reportFault(error);
		}
		log(bytes, end);
		over();
	};
	const body = countBytes(response.body, onEnd);
	// The runtime sets a length only for a body that it made itself.
	return new Response(
		length ? body.pipeThrough(new FixedLengthStream(Number(length))) : body,
		response,
	);
}

/** Whether a response is in memory anyway: a document, or JSON that isn't streamed. */
function isWhole({ headers }: Response, context: RequestContext | undefined): boolean {
	const type = headers.get("Content-Type") ?? "";
	if (type.startsWith("text/html")) return true;
	return type.startsWith("application/json") && context?.isStreamed !== true;
}

/**
 * The client's fingerprint for the day, if the edge has passed on its IP address. A Worker with a
 * broken configuration has no secret to make one with, but still answers and logs.
 */
async function clientOf({ request, env, now }: IncomingRequest): Promise<string | undefined> {
	const address = request.headers.get("CF-Connecting-IP");
	if (!address) return undefined;
	try {
		return await clientFingerprint(address, parseSettings(env).cookieSecret, now);
	} catch {
		return undefined;
	}
}

/** One line per request, with fixed keys and no cookies, codes, bodies or email addresses. */
function logLine(
	{ request, requestId }: Pick<IncomingRequest, "request" | "requestId">,
	context: RequestContext | undefined,
	client: string | undefined,
	sent: { status: number; milliseconds: number; bytes: number; end: StreamEnd },
) {
	return {
		requestId,
		method: request.method,
		path: new URL(request.url).pathname.replace(/\p{Cc}/gu, "").slice(0, 256),
		...sent,
		...(context?.userId ? { userId: context.userId } : {}),
		...(client ? { client } : {}),
		...(context ? { d1: context.db.cost } : {}),
	};
}
