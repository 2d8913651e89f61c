/**
 * The Worker: check-request.ts checks every request before Remix sees it, and finish.ts completes
 * every response after it.
 */

// @ts-expect-error the server build exists once Remix has built it; tools/bundle resolves the name
import * as serverBuild from "virtual:server-build";
import type { RequestContext } from "../auth/request-context.ts";
import type { Env } from "../env.server.ts";
import { BodyReader, BrokenBody, FORM_DRAIN_LIMIT } from "../http/body.server.ts";
import { describeError } from "../values/describe-error.ts";
import { checkRequest } from "./check-request.ts";
import { brokenOff, errorResponse, finish, toWorkerReadable } from "./finish.ts";
import { logWhenSent } from "./log-line.ts";
import { createHandlers, type LazyBuild } from "./remix.ts";

/** Background tasks, loaded on demand so that they don't slow the Worker's start. */
const tasks = () => import("./tasks.ts");
const handlerFor = createHandlers(serverBuild as LazyBuild);

export default {
	async fetch(request: Request, env: Env, execution: ExecutionContext): Promise<Response> {
		const now = Date.now();
		const requestId = crypto.randomUUID();
		const arrival = { request, env, execution, now, requestId };
		let context: RequestContext | undefined;
		let response: Response;
		try {
			const checked = await checkRequest(arrival);
			if (checked instanceof Response) {
				response = checked;
				// An unread body would reset the connection under this response, or under the next request
				// on it.
				if (request.body && !request.bodyUsed)
					await new BodyReader(request).drain(FORM_DRAIN_LIMIT);
			} else {
				context = checked.context;
				// A write that has reached the database is completed even if the client has hung up.
				const own = context;
				const answer = handlerFor(own.rule).then((handle) => handle(checked.request, own));
				execution.waitUntil(answer.catch(() => undefined));
				response = await answer;
				// Mail queued by a change is sent after the response.
				if (request.method !== "GET" && request.method !== "HEAD")
					execution.waitUntil(answer.then(async () => (await tasks()).sendDueMail(env, Date.now)));
				// If nothing is rendered, Remix answers errors in plain text. API errors must be JSON, and
				// those of files a page.
				const isBroken =
					response.status === 500 && (context.rule.kind === "api" || context.rule.isFile);
				response = toWorkerReadable(
					request,
					isBroken ? errorResponse(request, requestId) : response,
					context,
				);
			}
		} catch (error) {
			if (error instanceof BrokenBody) {
				const refused = await finish(brokenOff(request, requestId), undefined, requestId);
				return logWhenSent(arrival, refused, undefined, () => Date.now() - now, "aborted");
			}
			console.error(JSON.stringify({ level: "error", requestId, error: describeError(error) }));
			const { pathname: path } = new URL(request.url);
			execution.waitUntil(
				import("./report-fault.ts").then(({ reportFault }) =>
					reportFault(env, error, { requestId, path, now }),
				),
			);
			response = errorResponse(request, requestId);
		}
		const finished = await finish(response, context, requestId);
		return logWhenSent(arrival, finished, context, () => Date.now() - now);
	},

	/** Runs every minute, by the cron trigger in wrangler.toml. */
	async scheduled(event: ScheduledController, env: Env): Promise<void> {
		const began = Date.now();
		const { scheduledTime } = event;
		const clock = () => scheduledTime + Date.now() - began;
		await (await tasks()).runMinute(env, scheduledTime, clock);
	},
};
