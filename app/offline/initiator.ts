/** Who started a navigation: one of our own pages, or anyone else. */

/**
 * Whether one of our own pages sent this form. The worker would send a form in its own request,
 * which the server considers ours, so it only handles forms that it is sure of: the browser sends
 * the others itself, with what it knows about their origin. Chromium shows the worker the `Origin`
 * that it will send, also after redirects and reloads. Firefox adds that header after the worker,
 * as the Fetch standard says; there the referrer can't be forged by a page, and a withheld one
 * counts as another site's.
 */
export function isFromOurPages(
	request: Pick<Request, "headers" | "referrer">,
	ours: string,
): boolean {
	const origin = request.headers.get("Origin");
	return origin === null ? originOf(request.referrer) === ours : origin === ours;
}

/** The origin of a URL; '' for none and for `about:client`. */
function originOf(address: string): string {
	try {
		return new URL(address).origin;
	} catch {
		return "";
	}
}
