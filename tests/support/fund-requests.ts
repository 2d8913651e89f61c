/** Fund Request Management as an administrator's browser reads and uses it. */
import type { Client } from "./worker.ts";

/** The numbers of the rows that a page shows, in its order. */
export const shown = (html: string) =>
	[...html.matchAll(/<th scope="row"[^>]*><a [^>]*>(FR-\d+)<\/a><\/th>/g)].map(
		([, number]) => number,
	);
/** The row of a request in the table's HTML, empty when it is not there. */
export const rowOf = (html: string, id: string) =>
	new RegExp(`<tr id="request-${id}">[\\s\\S]*?</tr>`).exec(html)?.[0] ?? "";
/** Where every link of a piece of HTML leads. */
export const hrefs = (html: string) =>
	[...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
/**
 * The decision of one request, as its dialog sends it.
 * @param query the filters and the dialog it is sent from, with their question mark
 */
export const decide = (
	client: Client,
	id: string,
	status: string,
	more: Record<string, string> = {},
	query = "",
) => client.post(`/fund-requests${query}`, { intent: "process", id, status, ...more });
