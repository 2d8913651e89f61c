/**
 * The file store as statements use it. If it fails, the answer is the same as when a database is
 * down.
 */
import { unavailable } from "./refuse.server.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * The store, or a multipart upload to it, with failures answered by a 503: a retry may succeed, and
 * the fault isn't ours.
 */
function withUnavailableRefusal<T extends object>(context: RequestContext, store: T): T {
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
				return isUpload ? withUnavailableRefusal(context, answer as object) : answer;
			};
		},
	});
}

/** The store for statements that wait to be imported. */
export const statementStore = (context: RequestContext): R2Bucket =>
	withUnavailableRefusal(context, context.env.RECEIPTS);
