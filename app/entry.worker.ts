/** The Worker: what every request meets before Remix (http/door.server.ts), and every answer after it: headers, the log line, the last-resort error. */

// @ts-expect-error the server build exists once Remix has built it; tools/build resolves the name
import * as serverBuild from "virtual:server-build";
import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { ruleOf } from "./auth/permissions.ts";
import { callRefusal } from "./auth/refusal.ts";
import { Database } from "./db/client.server.ts";
import { deliverMail } from "./domain/mail/delivery.server.ts";
import { type Env, settingsOf } from "./env.server.ts";
import { BodyReader, DRAIN_LIMIT } from "./http/body.server.ts";
import type { RequestContext } from "./http/context.server.ts";
import { atTheDoor } from "./http/door.server.ts";
import { logLine } from "./http/log-line.server.ts";
import { transportOf } from "./http/mail-transport.server.ts";
import { readableByWorker } from "./http/outbox.server.ts";
import { plainPage } from "./http/plain-page.ts";
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from "./http/security.server.ts";
import { sweepStep } from "./http/sweep-step.server.ts";
import { forgottenToast } from "./http/toast.server.ts";

const handle = createRequestHandler(serverBuild as ServerBuild, "production");

export default {
	async fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
		const now = Date.now();
		const requestId = crypto.randomUUID();
		const arrival = { request, env, execution, now, requestId };
		let context: RequestContext | undefined;
		let response: Response;
		try {
			const door = await atTheDoor(arrival);
			if (door instanceof Response) {
				response = door;
				// A body left unread would reset the connection under the next request on it.
				if (request.body && !request.bodyUsed) await new BodyReader(request).drain(DRAIN_LIMIT);
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
		console.log(JSON.stringify(logLine(arrival, finished, context, Date.now() - now)));
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

/** Seconds after which a driver past their hourly limit may have room again. */
const HOURLY_RETRY = "600";

/** The answer with the headers that every answer has. */
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
