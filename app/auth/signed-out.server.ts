/** The answer after signing out. */
import { redirect } from "@remix-run/cloudflare";
import type { RequestContext } from "./request-context.ts";
import { clearSessionCookie } from "./session.server.ts";

export async function signedOutResponse(context: RequestContext): Promise<Response> {
	const { settings } = context;
	context.mayReadReplica = false;
	return redirect("/", {
		status: 303,
		headers: {
			"Set-Cookie": await clearSessionCookie(settings.isHttps),
			// Only the cache: the phone's outbox is kept.
			"Clear-Site-Data": '"cache"',
		},
	});
}
