/**
 * Every answer on its way out: the headers that all have, the form that a phone's service worker
 * can read, the error of last resort.
 */
import { nearCookies } from "../auth/near-read.server.ts";
import type { RequestContext } from "../auth/request-context.ts";
import { wrongAccount } from "../http/outbox.server.ts";
import { renderPlainPage } from "../http/plain-page.ts";
import { apiRefusal } from "../http/refusal.ts";
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from "../http/security.server.ts";
import { clearToastCookie } from "../http/toast.server.ts";
import { findRule } from "../routing/routes.ts";

/**
 * Seconds after which it may be tried again: when a driver past their hourly limit may have room,
 * and when a store that was down may be back.
 */
const RETRIES: Readonly<Record<number, string>> = { 429: "600", 503: "10" };

/**
 * The answer with the headers that every answer has.
 * @param requestId what its log line is found by
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
	// A screen that keeps what was typed cannot say it itself: Remix drops the headers of an action
	// that renders.
	const retry = RETRIES[response.status];
	if (retry && !headers.has("Retry-After")) headers.set("Retry-After", retry);
	headers.set("Vary", "Cookie, Sec-Fetch-Site");
	headers.set("X-Request-Id", requestId);
	if (context) {
		const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
		if (context.toast && isPage)
			headers.append("Set-Cookie", await clearToastCookie(context.settings));
		for (const cookie of await nearCookies(context)) headers.append("Set-Cookie", cookie);
		if (context.settings.serverTiming) {
			const { trips, statements, rows, milliseconds } = context.db.cost;
			const isNear = context.db.bookmark !== undefined && !context.db.hasAskedPrimary;
			headers.set(
				"Server-Timing",
				`d1;desc="${trips} ${trips === 1 ? "trip" : "trips"}, ${statements} ${statements === 1 ? "statement" : "statements"}, ${rows} ${rows === 1 ? "row" : "rows"}${isNear ? ", replica" : ""}";dur=${milliseconds.toFixed(1)}`,
			);
		}
	}
	return new Response(response.body, {
		status: response.status,
		statusText: response.statusText,
		headers,
	});
}

/** The 500 for an unexpected error: it names the request and no details. */
export function errorResponse(request: Request, requestId: string): Response {
	const sentence = "This wasn't your fault. Please try again in a moment.";
	if (findRule(new URL(request.url).pathname).kind === "api")
		return apiRefusal(500, `Something went wrong. ${sentence} Reference: ${requestId}`);
	return renderPlainPage(500, "Something went wrong", sentence, requestId);
}

/**
 * The answer as a phone's service worker can read it: it sends a form with `Outbox: live`, cannot
 * see where a redirect leads, and has to know that the one it got is ours and no sign-in page's on
 * the way. Cookies stay. A screen would not tell it whose the form is.
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
