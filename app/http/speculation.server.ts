/** Requests that nobody has made yet: a browser that guesses where somebody goes next. */
import { plainPage } from "./plain-page.ts";

/**
 * Refuses a prefetch or prerender of what is written into the audit or ends a session: the browser asks again when somebody does go there.
 * @throws the refusal
 */
export function refuseSpeculation(request: Request, requestId: string): void {
	const purpose = `${request.headers.get("Sec-Purpose") ?? ""} ${request.headers.get("Purpose") ?? ""}`;
	if (/\bprefetch\b|\bprerender\b|\bpreview\b/i.test(purpose))
		throw plainPage(403, "Not loaded ahead of time", "This is only sent to somebody who asks for it.", requestId);
}
