/** Fund Request Management as used in an administrator's browser. */
import type { Client } from "./worker.ts";

/** The request numbers on a page, in its order. */
export const shown = (html: string) =>
	[...html.matchAll(/<th scope="row"[^>]*><a [^>]*>(FR-\d+)<\/a><\/th>/g)].map(
		([, number]) => number,
	);
/** The HTML of a request's table row, empty when it isn't there. */
export const rowOf = (html: string, id: string) =>
	new RegExp(`<tr id="request-${id}">[\\s\\S]*?</tr>`).exec(html)?.[0] ?? "";
/** The URLs of all links in a piece of HTML. */
export const hrefs = (html: string) =>
	[...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
/**
 * Decides one request, as its dialog does.
 * @param query the list's filters and the dialog, including the question mark
 */
export const decide = (
	client: Client,
	id: string,
	status: string,
	more: Record<string, string> = {},
	query = "",
) => client.post(`/fund-requests${query}`, { intent: "process", id, status, ...more });
