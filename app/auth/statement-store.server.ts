/** The file store as statements use it: where it fails, the answer is the one of a database that is down. */
import { unavailable } from "./refuse.server.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * The same store, or a multipart upload of it, whose failures are answered with a 503: it can be
 * tried again, and nothing of ours is wrong.
 */
function guarded<T extends object>(context: RequestContext, store: T): T {
	return new Proxy(store, {
		get(target, name) {
			const method: unknown = Reflect.get(target, name);
			if (typeof method !== "function") return method;
			return async (...given: unknown[]) => {
				let answer: unknown;
				try {
					answer = await Reflect.apply(method, target, given);
				} catch (error) {
					throw await unavailable(
						context,
						error instanceof Error ? error : new Error(String(error)),
					);
				}
				const isUpload = typeof answer === "object" && answer !== null && "uploadPart" in answer;
				return isUpload ? guarded(context, answer as object) : answer;
			};
		},
	});
}

/** The store in which statements wait. */
export const statementStore = (context: RequestContext): R2Bucket =>
	guarded(context, context.env.RECEIPTS);
