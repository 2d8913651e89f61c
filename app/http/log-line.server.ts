/** What is logged of a request. */
import { hashOf } from "../auth/session.server.ts";
import type { RequestContext } from "./context.server.ts";

/** One line a request: fixed keys, no cookies, codes, bodies or addresses of people. */
export function logLine(
	request: Request,
	response: Response,
	context: RequestContext | undefined,
	requestId: string,
	milliseconds: number,
) {
	const address = request.headers.get("CF-Connecting-IP");
	return {
		requestId,
		method: request.method,
		path: new URL(request.url).pathname.replace(/\p{Cc}/gu, "").slice(0, 256),
		status: response.status,
		milliseconds,
		...(context?.userId ? { userId: context.userId } : {}),
		...(address ? { client: hashOf(address).slice(0, 12) } : {}),
		...(context ? { d1: context.db.cost } : {}),
	};
}
