import { findRule, ROUTES } from "../../app/routing/routes.ts";

/** They answer with a redirect, or only when sign-in fails. */
const NOT_A_SCREEN = ["/outbox", "/api/logout", "/api/callback"];

/** The route table's screens that none of these URLs leads to. */
export function unlistedScreens(urls: readonly string[]): string[] {
	const listed = new Set(
		urls.map((url) => findRule(new URL(url, "http://localhost").pathname).path),
	);
	return ROUTES.filter(
		({ path, kind, isFile, methods }) =>
			kind === "page" &&
			!isFile &&
			methods.GET &&
			!listed.has(path) &&
			!NOT_A_SCREEN.includes(path),
	).map(({ path }) => path);
}
