/** The answer to somebody who has signed out. */
import { redirect } from "@remix-run/cloudflare";
import type { RequestContext } from "./request-context.ts";
import { clearSessionCookie } from "./session.server.ts";

export async function signedOut(context: RequestContext): Promise<Response> {
	const { settings } = context;
	context.mayReadNear = false;
	return redirect("/", {
		status: 303,
		headers: {
			"Set-Cookie": await clearSessionCookie(settings.isHttps),
			// The cache only: what waits in the phone's outbox stays.
			"Clear-Site-Data": '"cache"',
		},
	});
}
