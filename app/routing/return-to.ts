/** Where a sign-in comes back to: one of our own pages, or the start page. */
import { findRule } from "./routes.ts";

/** An address of ours with a screen's filters, as far as one is carried in another address or a cookie. */
export const LONGEST_RETURN = 2000;

/** The address that signs in and comes back; to the start page from an address that is too long. */
export function signInAddress(returnTo: string): string {
	const encoded = encodeURIComponent(returnTo);
	return returnTo === "/" || encoded.length > LONGEST_RETURN
		? "/api/login"
		: `/api/login?returnTo=${encoded}`;
}

/**
 * The path and query of `text` if it is one of our pages, `/` otherwise: no other site, no `//`,
 * backslash or control character, nothing that is too long, and never a call or a sign-in route.
 */
export function safeReturnTo(text: string | null | undefined): string {
	if (!text?.startsWith("/") || text.startsWith("//") || /[\\\s\p{Cc}]/u.test(text)) return "/";
	const url = new URL(text, "http://milepost.invalid");
	if (url.host !== "milepost.invalid" || url.pathname.startsWith("/api/")) return "/";
	const rule = findRule(url.pathname);
	// A page that only takes posts (/profile) is nothing to come back to.
	const isVisitable = rule.methods.GET !== undefined && rule.methods.GET !== "unknownPage";
	const address = url.pathname + url.search;
	return rule.kind === "page" && isVisitable && address.length <= LONGEST_RETURN ? address : "/";
}
