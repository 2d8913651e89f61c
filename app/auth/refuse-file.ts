/** Refusals on URLs that return files. */

import { renderPlainPage } from "../http/plain-page.ts";
import { DEACTIVATED, TOASTS } from "../messages.ts";
import type { Verdict } from "../routing/permissions.ts";
import { signInAddress } from "../routing/return-to.ts";
import type { RequestContext } from "./request-context.ts";

/** No screen is rendered for a file, so its refusal is a separate page. */
export function refuseFile(
	context: RequestContext,
	verdict: Exclude<Verdict, "allow">,
	isDeactivated: boolean,
): Response {
	const page = (status: number, title: string, sentence = "") =>
		renderPlainPage(status, title, sentence, context.requestId);
	switch (verdict) {
		case "sign-in": {
			if (isDeactivated) return page(401, "Account deactivated", DEACTIVATED);
			const { title, text = "" } = TOASTS.unauthorized;
			const href = signInAddress(context.address);
			return renderPlainPage(401, title, text, context.requestId, { Refresh: `1; url=${href}` }, [
				{ href, words: "Sign In" },
			]);
		}
		case "access-denied":
			return page(403, TOASTS.accessDenied.title, TOASTS.accessDenied.text);
		case "not-found":
			return page(404, "404 Page Not Found", "This page doesn't exist.");
		default:
			return page(403, "Not allowed", "You don't have access to this.");
	}
}
