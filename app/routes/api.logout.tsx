/** Signing out: a POST from the header's form, or a visit from one of our own pages; a link on another site gets a question first. */
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { forgottenSessionCookie } from "../auth/session.server.ts";
import { signOutStatements } from "../auth/session-audit.server.ts";
import type { RequestContext } from "../http/context.server.ts";
import { refuseSpeculation } from "../http/speculation.server.ts";
import { Button, ButtonLink } from "../ui/primitives/button.tsx";
import { Standalone } from "../ui/standalone.tsx";

export const handle = { title: "Sign out" };

async function signOut(context: RequestContext): Promise<Response> {
	const { db, presented, now, settings } = context;
	if (presented) await db.batch(signOutStatements(db.build, presented.tokenHash, context.requestId, now));
	return redirect("/", { status: 303, headers: { "Set-Cookie": forgottenSessionCookie(settings.isHttps) } });
}

/** True unless the browser says that another site sent the visitor here. */
function comesFromHere(request: Request, origin: string): boolean {
	const site = request.headers.get("Sec-Fetch-Site");
	if (site !== null) return site === "same-origin" || site === "none";
	const referrer = request.headers.get("Referer");
	return referrer === null || referrer === origin || referrer.startsWith(`${origin}/`);
}

export async function loader({ context, request }: LoaderFunctionArgs) {
	refuseSpeculation(request, context.requestId);
	if (comesFromHere(request, context.settings.origin)) throw await signOut(context);
	return null;
}

export async function action({ context }: ActionFunctionArgs) {
	return signOut(context);
}

export default function Logout() {
	return (
		<Standalone title="Sign out?" icon="exit">
			<p>Another site sent you here. You are still signed in.</p>
			<form method="post" action="/api/logout" className="grid gap-3">
				<Button pending="Signing out...">Sign Out</Button>
			</form>
			<ButtonLink href="/" look="plain">
				Stay signed in
			</ButtonLink>
		</Standalone>
	);
}
