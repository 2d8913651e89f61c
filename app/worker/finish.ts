/**
 * Completes every response: the common headers, a form's answer that the phone's service worker can
 * read, and the error of last resort.
 */
import { replicaCookies } from "../auth/replica-read.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { wrongAccount } from "../http/outbox.server.ts";
import { renderPlainPage } from "../http/plain-page.ts";
import { apiRefusal } from "../http/refusal.ts";
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from "../http/security.server.ts";
import { clearToastCookie } from "../http/toast.server.ts";
import { findRule } from "../routing/routes.ts";

/**
 * Seconds until a retry makes sense: for a driver past their hourly limit, and for a store that was
 * down.
 */
const RETRIES: Readonly<Record<number, string>> = { 429: "600", 503: "10" };

/**
 * Adds the headers that every response has.
 * @param requestId identifies its log line
 */
export async function finish(
	response: Response,
	context: RequestContext | undefined,
	requestId: string,
): Promise<Response> {
	const headers = new Headers(response.headers);
	headers.delete("X-Remix-Catch");
	headers.delete("X-Remix-Response");
	for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
	if (!headers.has("Content-Security-Policy"))
		headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
	// The screen itself can't say so: Remix drops the headers of an action that renders.
	const retry = RETRIES[response.status];
	if (retry && !headers.has("Retry-After")) headers.set("Retry-After", retry);
	headers.set("Vary", "Cookie, Sec-Fetch-Site");
	headers.set("X-Request-Id", requestId);
	if (context) {
		const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
		if (context.toast && isPage)
			headers.append("Set-Cookie", await clearToastCookie(context.settings));
		for (const cookie of await replicaCookies(context)) headers.append("Set-Cookie", cookie);
		if (context.settings.serverTiming) {
			const { trips, statements, rows, milliseconds } = context.db.cost;
			const isFromReplica = context.db.bookmark !== undefined && !context.db.hasAskedPrimary;
			headers.set(
				"Server-Timing",
				`d1;desc="${trips} ${trips === 1 ? "trip" : "trips"}, ${statements} ${statements === 1 ? "statement" : "statements"}, ${rows} ${rows === 1 ? "row" : "rows"}${isFromReplica ? ", replica" : ""}";dur=${milliseconds.toFixed(1)}`,
			);
		}
	}
	return new Response(response.body, {
		status: response.status,
		statusText: response.statusText,
		headers,
	});
}

/** The 400 for a body that broke off: perhaps nobody reads it. */
export function brokenOff(request: Request, requestId: string): Response {
	const sentence = "The connection ended before everything was sent. Nothing was saved.";
	if (findRule(new URL(request.url).pathname).kind === "api") return apiRefusal(400, sentence);
	return renderPlainPage(400, "Request cut off", sentence, requestId);
}

/** The 500 for an unexpected error. It gives the request id and no details. */
export function errorResponse(request: Request, requestId: string): Response {
	const sentence = "This wasn't your fault. Please try again in a moment.";
	if (findRule(new URL(request.url).pathname).kind === "api")
		return apiRefusal(500, `Something went wrong. ${sentence} Reference: ${requestId}`);
	return renderPlainPage(500, "Something went wrong", sentence, requestId);
}

/**
 * Makes the answer to a form readable for the phone's service worker, which sends it with `Outbox:
 * live`. The service worker can't see where a redirect leads, and has to know that the answer is
 * ours, not that of a sign-in page on the way. Cookies are kept. A rendered screen doesn't say
 * whose form it was.
 */
export function toWorkerReadable(
	request: Request,
	response: Response,
	{ isOtherAccounts }: RequestContext,
): Response {
	if (request.headers.get("Outbox") !== "live") return response;
	if (isOtherAccounts) return wrongAccount();
	if (response.status !== 303) return response;
	const headers = new Headers(response.headers);
	const location = headers.get("Location");
	headers.delete("Location");
	headers.set("Content-Type", "application/json");
	return new Response(JSON.stringify({ received: true, location }), { headers });
}
