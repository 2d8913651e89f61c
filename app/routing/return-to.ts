/** Where a sign-in comes back to: one of our own pages, or the start page. */
import { findRule } from "./routes.ts";

/**
 * The path and query of `text` if it is one of our pages, `/` otherwise: no other site, no `//`,
 * backslash or control character, and never a call or a sign-in route.
 */
export function safeReturnTo(text: string | null | undefined): string {
	if (!text?.startsWith("/") || text.startsWith("//") || /[\\\s\p{Cc}]/u.test(text)) return "/";
	const url = new URL(text, "http://milepost.invalid");
	if (url.host !== "milepost.invalid" || url.pathname.startsWith("/api/")) return "/";
	const rule = findRule(url.pathname);
	// A page that only takes posts (/profile) is nothing to come back to.
	const isVisitable = rule.methods.GET !== undefined && rule.methods.GET !== "unknownPage";
	return rule.kind === "page" && isVisitable ? url.pathname + url.search : "/";
}
