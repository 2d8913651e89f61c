/** Who began a navigation: one of our own pages, or anybody else. */

/**
 * True when one of our own pages sent this form. The worker sends a form on in a request of its
 * own, which the server takes for ours: so it touches none that it is not sure of, and the browser
 * sends the rest itself, with what it knows of their origin.
 *
 * Chromium shows the worker the `Origin` that it will send, also after redirects and reloads.
 * Firefox adds that header after the worker, as the Fetch standard says; there the referrer is what
 * no page can forge, and one that is withheld counts as another site's.
 */
export function isFromOurPages(
	request: Pick<Request, "headers" | "referrer">,
	ours: string,
): boolean {
	const origin = request.headers.get("Origin");
	return origin === null ? originOf(request.referrer) === ours : origin === ours;
}

/** The origin of an address; '' for none and for `about:client`. */
function originOf(address: string): string {
	try {
		return new URL(address).origin;
	} catch {
		return "";
	}
}
