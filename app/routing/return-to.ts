/** Where people return after signing in: to one of our own pages, or to the start page. */
import { findRule } from "./routes.ts";

/** The longest URL that another URL or a cookie carries: one of ours with a screen's filters. */
export const MAX_RETURN_LENGTH = 2000;

/**
 * The sign-in URL that leads back to a page, or to the start page if the page's URL is too long.
 */
export function signInAddress(returnTo: string): string {
	const encoded = encodeURIComponent(returnTo);
	return returnTo === "/" || encoded.length > MAX_RETURN_LENGTH
		? "/api/login"
		: `/api/login?returnTo=${encoded}`;
}

/**
 * The path and query of `text` if it is one of our pages, else `/`. That rules out other sites,
 * `//`, backslashes and control characters, anything too long, API routes and the sign-in routes.
 */
export function safeReturnTo(text: string | null | undefined): string {
	if (!text?.startsWith("/") || text.startsWith("//") || /[\\\s\p{Cc}]/u.test(text)) return "/";
	const url = new URL(text, "http://milepost.invalid");
	if (url.host !== "milepost.invalid" || url.pathname.startsWith("/api/")) return "/";
	const rule = findRule(url.pathname);
	// Pages that only accept posts (/profile) can't be returned to.
	const isVisitable = rule.methods.GET !== undefined && rule.methods.GET !== "unknownPage";
	const address = url.pathname + url.search;
	return rule.kind === "page" && isVisitable && address.length <= MAX_RETURN_LENGTH ? address : "/";
}
