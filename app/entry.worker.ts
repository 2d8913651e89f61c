/**
 * The Worker: what every request meets before Remix and every answer meets after it. It does what needs no database: the route table,
 * the same-origin rule, the body's caps, the context, the security headers, the log line and the last-resort error.
 */

// @ts-expect-error the server build exists once Remix has built it; tools/build resolves the name
import * as serverBuild from "virtual:server-build";
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { unavailable } from "./auth/guard.server.ts";
import { methodsOf, type RouteRule, ruleOf } from "./auth/permissions.ts";
import { callRefusal } from "./auth/refusal.ts";
import { presentedSession } from "./auth/session.server.ts";
import { Database } from "./db/client.server.ts";
import { deliverMail } from "./domain/mail/delivery.server.ts";
import { type Env, type Settings, settingsOf } from "./env.server.ts";
import type { RequestContext } from "./http/context.server.ts";
import { logLine } from "./http/log-line.server.ts";
import { transportOf } from "./http/mail-transport.server.ts";
import { readableByWorker } from "./http/outbox.server.ts";
import { plainPage } from "./http/plain-page.ts";
import { screensOf } from "./http/screen.server.ts";
import {
	BODY_LIMIT,
	bodyWithin,
	CONTENT_SECURITY_POLICY,
	DRAIN_LIMIT,
	FIELD_LIMIT,
	formWithFile,
	hasTooManyFields,
	isAcceptedType,
	isMultipart,
	isSameOrigin,
	ROWS_FIELD_LIMIT,
	readBody,
	SECURITY_HEADERS,
} from "./http/security.server.ts";
import { sweepStep } from "./http/sweep-step.server.ts";
import { forgottenToast, readToast } from "./http/toast.server.ts";
import { dateIn } from "./values/calendar-date.ts";

const handle = createRequestHandler(serverBuild as ServerBuild, "production");

export default {
	async fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
		const now = Date.now();
		const requestId = crypto.randomUUID();
		let context: RequestContext | undefined;
		let response: Response;
		try {
			const door = await atTheDoor(request, env, execution, now, requestId);
			if (door instanceof Response) {
				response = door;
				// A body left unread would reset the connection under the next request on it.
				if (request.body && !request.bodyUsed) await readBody(request, 0, DRAIN_LIMIT);
			} else {
				context = door.context;
				// A write that the database has taken is finished even when the phone has hung up.
				const answer = handle(door.request, door.context);
				execution.waitUntil(answer.catch(() => undefined));
				response = await answer;
				// What a change has queued leaves once the answer has.
				if (request.method !== "GET" && request.method !== "HEAD") execution.waitUntil(answer.then(() => sendMail(env, now)));
				// Where nothing is rendered Remix answers a fault in plain text; every error of a call is JSON, and a file's is a page.
				const isBroken = response.status === 500 && (context.rule.kind === "call" || context.rule.isFile);
				response = readableByWorker(request, isBroken ? lastResort(request, requestId) : response, context);
			}
		} catch (error) {
			console.error(JSON.stringify({ level: "error", requestId, error: describe(error) }));
			response = lastResort(request, requestId);
		}
		const finished = await finish(response, context);
		console.log(JSON.stringify(logLine(request, finished, context, requestId, Date.now() - now)));
		return finished;
	},

	/** Every minute: mail that waited or has to be tried again, and the next step of the day's sweep. */
	async scheduled(event: ScheduledController, env: Env): Promise<void> {
		await sendMail(env, event.scheduledTime);
		await sweepStep(env, event.scheduledTime);
	},
};

/** Sends the mail that is due, when a provider is configured. A failure is in the outbox for an administrator to see; here it is only logged. */
async function sendMail(env: Env, now: number): Promise<void> {
	const { mail } = settingsOf(env);
	if (!mail) return;
	try {
		const { sent, failed } = await deliverMail(new Database(env.DB), transportOf(mail), now);
		if (sent + failed > 0) console.log(JSON.stringify({ mail: { sent, failed } }));
	} catch (error) {
		console.error(JSON.stringify({ level: "error", mail: describe(error) }));
	}
}

/** Everything a request is refused for before a parser or the database sees it; otherwise the request and context for Remix. */
async function atTheDoor(
	request: Request,
	env: Env,
	execution: ExecutionContext,
	now: number,
	requestId: string,
): Promise<Response | { request: Request; context: RequestContext }> {
	const settings = settingsOf(env);
	const url = new URL(request.url);
	const { method } = request;
	if (url.searchParams.has("_data") || url.pathname.endsWith(".data") || url.pathname === "/__manifest") {
		return plainPage(404, "404 Page Not Found", "There is no page at this address.", requestId);
	}
	const bare = url.pathname.replace(/(.)\/$/, "$1");
	if (bare !== url.pathname && ruleOf(bare).path === bare)
		return new Response(null, { status: 308, headers: { Location: bare + url.search } });
	const rule = ruleOf(url.pathname);
	const refuse = (status: number, title: string, sentence: string, headers: Record<string, string> = {}) =>
		rule.kind === "call" ? callRefusal(status, sentence, undefined, headers) : plainPage(status, title, sentence, requestId, headers);

	const allowed = methodsOf(rule);
	if (!allowed.includes(method))
		return refuse(405, "Method not allowed", "This address does not answer that method.", { Allow: allowed.join(", ") });

	let bytes = new Uint8Array(0);
	const contentType = request.headers.get("Content-Type");
	if (method !== "GET" && method !== "HEAD") {
		if (!isSameOrigin(request, settings.origin))
			return refuse(403, "Not sent from here", "This request did not come from our own pages, so it was not carried out.");
		const body = rule.takesFile && isMultipart(contentType) ? await formWithFile(request) : await bodyWithin(request, BODY_LIMIT);
		if (!body) return refuse(413, "Too much data", `A form may have at most ${BODY_LIMIT / 1024} KB. Nothing was saved.`);
		const isForm = rule.takesForm && isAcceptedType(contentType, "page", body.byteLength);
		if (!isAcceptedType(contentType, rule.kind, body.byteLength) && !(rule.takesFile && isMultipart(contentType)) && !isForm)
			return refuse(
				415,
				"Unsupported form",
				rule.kind === "call" ? "Send the body as application/json." : "This form was sent in a way we do not take.",
			);
		if (
			(rule.kind === "page" || rule.takesFile || isForm) &&
			hasTooManyFields(body, contentType, rule.takesRows ? ROWS_FIELD_LIMIT : FIELD_LIMIT)
		)
			return refuse(400, "Too many fields", "This form has more fields than any of ours.");
		bytes = body;
	}
	const inner = withoutHints(request, rule, bytes);
	return {
		request: inner,
		context: contextOf(request, env, settings, rule, execution, now, requestId, bytes, await readToast(request, settings)),
	};
}

/**
 * The request as Remix gets it: the body already read, and no header left by which Remix could judge the origin again and fail on it.
 * Remix decodes paths and ignores their case, the table does neither: what is not in the table gets a path that only the catch-alls match.
 */
function withoutHints(request: Request, rule: RouteRule, bytes: Uint8Array<ArrayBuffer>): Request {
	const headers = new Headers(request.headers);
	for (const name of ["Origin", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-For"]) headers.delete(name);
	const hasBody = request.method !== "GET" && request.method !== "HEAD" && bytes.byteLength > 0;
	const address = rule.path.endsWith("*") ? new URL(rule.path === "*" ? "/-" : "/api/-", request.url) : request.url;
	return new Request(address, { method: request.method, headers, ...(hasBody ? { body: bytes } : {}) });
}

function contextOf(
	request: Request,
	env: Env,
	settings: Settings,
	rule: RouteRule,
	execution: ExecutionContext,
	now: number,
	requestId: string,
	bytes: Uint8Array<ArrayBuffer>,
	toast: RequestContext["toast"],
): RequestContext {
	const url = new URL(request.url);
	let form: Promise<FormData> | undefined;
	const context: RequestContext = {
		env,
		settings,
		db: new Database(env.DB, (error) => unavailable(context, error)),
		now,
		today: dateIn(settings.timeZone, now),
		requestId,
		rule,
		method: request.method,
		address: url.pathname + url.search,
		presented: presentedSession(request, settings.isHttps),
		toast,
		// A body that is no form after all is an empty form: its fields are then missing, and the answer says so.
		form: () => {
			form ??= new Request("http://form/", {
				method: "POST",
				headers: { "Content-Type": request.headers.get("Content-Type") ?? "" },
				body: bytes,
			})
				.formData()
				.catch(() => new FormData());
			return form;
		},
		bodyText: () => new TextDecoder().decode(bytes),
		later: (work) => execution.waitUntil(work),
		screen: screensOf(handle, request.url, () => context),
		userId: undefined,
		isOtherAccounts: false,
	};
	return context;
}

/** The answer with the headers that every answer has. */
/** Seconds after which a driver past his hourly limit may have room again. */
const HOURLY_RETRY = "600";

async function finish(response: Response, context: RequestContext | undefined): Promise<Response> {
	const headers = new Headers(response.headers);
	headers.delete("X-Remix-Catch");
	headers.delete("X-Remix-Response");
	for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
	if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", CONTENT_SECURITY_POLICY);
	if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
	// A screen that keeps what was typed cannot say it itself: Remix drops the headers of an action that renders.
	if (response.status === 429 && !headers.has("Retry-After")) headers.set("Retry-After", HOURLY_RETRY);
	headers.set("Vary", "Cookie, Sec-Fetch-Site");
	if (context) {
		const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
		if (context.toast && isPage) headers.append("Set-Cookie", await forgottenToast(context.settings));
		if (context.settings.serverTiming) {
			const { trips, statements, rows, milliseconds } = context.db.cost;
			headers.set(
				"Server-Timing",
				`d1;desc="${trips} ${trips === 1 ? "trip" : "trips"}, ${statements} ${statements === 1 ? "statement" : "statements"}, ${rows} ${rows === 1 ? "row" : "rows"}";dur=${milliseconds.toFixed(1)}`,
			);
		}
	}
	return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** The 500 of a fault nobody expected: it names the request and nothing of the fault. */
function lastResort(request: Request, requestId: string): Response {
	const sentence = "This was not your fault. Please try again in a moment.";
	if (ruleOf(new URL(request.url).pathname).kind === "call")
		return callRefusal(500, `Something went wrong. ${sentence} Reference: ${requestId}`);
	return plainPage(500, "Something went wrong", sentence, requestId);
}

function describe(error: unknown): string {
	return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 2000);
}
