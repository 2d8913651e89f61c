/**
 * Signing out: by POST from the header's form, or by a visit from one of our own pages; any other
 * visit asks first.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { RequestContext } from "../auth/request-context.ts";
import { signOutStatements } from "../auth/session-audit.server.ts";
import { signedOutResponse } from "../auth/signed-out.server.ts";
import { isFromOurPages } from "../http/security.server.ts";
import { Button, ButtonLink } from "../ui/primitives/button.tsx";
import { Standalone } from "../ui/standalone.tsx";

export const handle = { title: "Sign out" };

async function signOut(context: RequestContext): Promise<Response> {
	const { db, presented, now } = context;
	if (presented)
		await db.batch(signOutStatements(db.build, presented.tokenHash, context.requestId, now));
	return signedOutResponse(context);
}

export async function loader({ context, request }: LoaderFunctionArgs) {
	// A HEAD only asks what a visit would show, so it ends nothing.
	if (context.method === "GET" && isFromOurPages(request, context.settings.origin))
		throw await signOut(context);
	return null;
}

export async function action({ context }: ActionFunctionArgs) {
	return signOut(context);
}

export default function Logout() {
	return (
		<Standalone title="Sign out?" icon="exit">
			<p>The link you followed isn't one of ours, so you weren't signed out.</p>
			<form method="post" action="/api/logout" className="grid gap-3">
				<Button pending="Signing out...">Sign Out</Button>
			</form>
			<ButtonLink href="/" variant="outline">
				Stay signed in
			</ButtonLink>
		</Standalone>
	);
}
