/** Why a sign-in failed, for the operator. */
import { Misconfigured } from "./openid-provider.server.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * The log says why; the visitor only learns that it failed. Codes and tokens are never logged. What
 * only the operator can fix has its own word in the log and goes to the webhook.
 */
export function logFailure(context: RequestContext, error: unknown): void {
	const reason = error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
	const words = reason.replace(/\p{Cc}/gu, " ").slice(0, 256);
	const { requestId } = context;
	if (error instanceof Misconfigured) {
		console.warn(JSON.stringify({ level: "warn", requestId, signInSetup: words }));
		context.reportFault(new Error(`Sign-in isn't set up correctly: ${error.message}`));
		return;
	}
	console.warn(JSON.stringify({ level: "warn", requestId, signIn: words }));
}
