/**
 * The Worker: every request is checked before Remix sees it (check-request.ts), and every answer is
 * finished after it (finish.ts).
 */

// @ts-expect-error the server build exists once Remix has built it; tools/bundle resolves the name
import * as serverBuild from "virtual:server-build";
import type { ServerBuild } from "@remix-run/cloudflare";
import type { RequestContext } from "../auth/request-context.ts";
import type { Env } from "../env.server.ts";
import { BodyReader, DRAIN_LIMIT } from "../http/body.server.ts";
import { checkRequest } from "./check-request.ts";
import { describeError } from "./describe-error.ts";
import { errorResponse, finish, toWorkerReadable } from "./finish.ts";
import { logWhenSent } from "./log-line.ts";
import { handlersOf } from "./remix.ts";
import { tellFault } from "./tell-fault.ts";

/** What runs beside requests; no request waits for it at the Worker's start. */
const tasks = () => import("./tasks.ts");
const handlerFor = handlersOf(serverBuild as ServerBuild);

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
				// A body left unread would reset the connection under the next request on it.
				if (request.body && !request.bodyUsed) await new BodyReader(request).drain(DRAIN_LIMIT);
			} else {
				context = checked.context;
				// A write that the database has taken is finished even when the phone has hung up.
				const answer = handlerFor(context.rule)(checked.request, context);
				execution.waitUntil(answer.catch(() => undefined));
				response = await answer;
				// What a change has queued leaves once the answer has.
				if (request.method !== "GET" && request.method !== "HEAD")
					execution.waitUntil(answer.then(async () => (await tasks()).sendDueMail(env, Date.now)));
				// Where nothing is rendered Remix answers a fault in plain text; every error of a call is
				// JSON, and a file's is a page.
				const isBroken =
					response.status === 500 && (context.rule.kind === "api" || context.rule.isFile);
				response = toWorkerReadable(
					request,
					isBroken ? errorResponse(request, requestId) : response,
					context,
				);
			}
		} catch (error) {
			console.error(JSON.stringify({ level: "error", requestId, error: describeError(error) }));
			const { pathname: path } = new URL(request.url);
			execution.waitUntil(tellFault(env, error, { requestId, path, now }));
			response = errorResponse(request, requestId);
		}
		const finished = await finish(response, context, requestId);
		return logWhenSent(arrival, finished, context, () => Date.now() - now);
	},

	/** Every minute, by the cron trigger of wrangler.toml. */
	async scheduled(event: ScheduledController, env: Env): Promise<void> {
		const began = Date.now();
		const { scheduledTime } = event;
		const clock = () => scheduledTime + Date.now() - began;
		await (await tasks()).runMinute(env, scheduledTime, clock);
	},
};
