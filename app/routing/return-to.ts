/** Where people return after signing in: to one of our own pages, or to the start page. */
import { findRule, type RouteRule } from "./routes.ts";

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

/** Whether it is a screen with its own GET: `/profile` only accepts posts. */
const isScreen = ({ kind, isFile, methods }: RouteRule): boolean =>
	kind === "page" && !isFile && methods.GET !== undefined && methods.GET !== "unknownPage";

/**
 * The path of a screen, or of the one that offers a file: a browser that is sent to a file saves it
 * and stays where it was, on the sign-in page. `/` if there is none.
 */
function screenOf(path: string): string {
	const rule = findRule(path);
	if (isScreen(rule)) return path;
	// Administrators download it from a screen that the person themselves doesn't see.
	if (!rule.isFile || rule.methods.GET === "personFile") return "/";
	let above = path.replace(/\.\w+$/, "");
	while (above && !isScreen(findRule(above))) above = above.slice(0, above.lastIndexOf("/"));
	return above || "/";
}

/**
 * The path and query of `text` if it is one of our pages, else `/`. That rules out other sites,
 * `//`, backslashes and control characters, anything too long, API routes and the sign-in routes.
 * For a file it is the screen that offers it.
 */
export function safeReturnTo(text: string | null | undefined): string {
	if (!text?.startsWith("/") || text.startsWith("//") || /[\\\s\p{Cc}]/u.test(text)) return "/";
	const url = new URL(text, "http://milepost.invalid");
	if (url.host !== "milepost.invalid" || url.pathname.startsWith("/api/")) return "/";
	const path = screenOf(url.pathname);
	const address = path === "/" && url.pathname !== "/" ? "/" : path + url.search;
	return address.length <= MAX_RETURN_LENGTH ? address : "/";
}
