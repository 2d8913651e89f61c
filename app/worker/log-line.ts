/** What is logged of a request. */
import { encodeHexLowerCase } from "@oslojs/encoding";
import type { RequestContext } from "../auth/request-context.ts";
import { parseSettings } from "../env.server.ts";
import { countBytes, type StreamEnd } from "./count-bytes.ts";
import { describeError } from "./describe-error.ts";
import { writeMetrics } from "./metrics.ts";
import type { Arrival } from "./request-context.ts";

const encoder = new TextEncoder();

/** The key of each secret this isolate has been given: one, but in tests. */
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
 * Which requests of a day come from one address, and nothing else: without the secret it cannot be
 * turned back, and another day's is another.
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
 * The answer, which logs its line when it is over: only then is known what it cost and how long it
 * was. One that breaks on the way is an error; one that is whole already leaves at once.
 * @param milliseconds how long ago the request came in
 */
export async function logWhenSent(
	arrival: Arrival,
	response: Response,
	context: RequestContext | undefined,
	milliseconds: () => number,
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
		log(0, "sent");
		return response;
	}
	const length = response.headers.get("Content-Length");
	if (length === null && isWhole(response, context)) {
		const bytes = await response.arrayBuffer();
		log(bytes.byteLength, "sent");
		return new Response(bytes, response);
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
	const body = countBytes(response.body, onEnd);
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

/** Which of a day's clients this is, where the edge has said whose address it is. */
async function clientOf({ request, env, now }: Arrival): Promise<string | undefined> {
	const address = request.headers.get("CF-Connecting-IP");
	return address ? clientFingerprint(address, parseSettings(env).cookieSecret, now) : undefined;
}

/** One line a request: fixed keys, no cookies, codes, bodies or addresses of people. */
export function logLine(
	{ request, requestId }: Pick<Arrival, "request" | "requestId">,
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
