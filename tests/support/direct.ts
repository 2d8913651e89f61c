/**
 * Requests to a local Worker over plain HTTP. The Worker sees what Miniflare's `dispatchFetch`
 * would send, but that spends more time on most requests than the Worker.
 */
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** A request fails after this long without a byte. */
const SILENCE_MS = 240_000;

/** A running Miniflare, and where it listens. */
export type Listening = { readonly ready: Promise<URL> };

export type DirectInit = {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | URLSearchParams | FormData | Uint8Array;
};

/**
 * Sends a request and reads the whole answer; redirects aren't followed.
 * @param url the URL that the Worker sees, wherever it listens
 * @throws if the connection breaks before the end
 */
export async function ask(
	worker: Listening,
	url: string,
	{ method = "GET", headers = {}, body }: DirectInit = {},
): Promise<Response> {
	const { hostname, port } = await worker.ready;
	const { origin, pathname, search } = new URL(url);
	const encoded = new Response(body as BodyInit | undefined);
	const bytes = body === undefined ? undefined : Buffer.from(await encoded.arrayBuffer());
	const all = new Headers(encoded.headers);
	for (const [name, value] of Object.entries({ Accept: "*/*", ...headers })) all.set(name, value);
	all.set("MF-Original-URL", origin + pathname + search);
	all.set("MF-Disable-Pretty-Error", "true");
	if (bytes) all.set("Content-Length", String(bytes.byteLength));
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		const path = pathname + search;
		// A refused body may be left unread, and its connection can't be reused.
		const options = {
			hostname,
			port,
			path,
			method,
			headers: Object.fromEntries(all),
			agent: false,
		};
		const sent = request(options, resolve).on("error", reject);
		sent.setTimeout(SILENCE_MS, () =>
			sent.destroy(new Error(`${method} ${path} had no answer for ${SILENCE_MS / 1000} s`)),
		);
		sent.end(bytes);
	});
	const whole = await buffer(answer);
	const { statusCode: status = 0, rawHeaders } = answer;
	const found = new Headers();
	for (let at = 0; at < rawHeaders.length; at += 2)
		found.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
	const isEmpty = status === 204 || status === 304;
	return new Response(isEmpty ? null : whole, { status, headers: found });
}
