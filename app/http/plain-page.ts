/**
 * The page of last resort, when no screen can be rendered. It has no data, so it can leak nothing.
 */
import type { RefusalAnswer } from "../values/outcome.ts";

/** Where to go next; both the URL and the text are ours, never a visitor's. */
export type NextLink = { readonly href: string; readonly words: string };

const HOME: NextLink = { href: "/", words: "Go to home page" };

/**
 * A complete HTML page with a title, a message and links, by default home; all text is ours, never
 * a visitor's.
 */
export function renderPlainPage(
	status: number,
	title: string,
	sentence: string,
	requestId: string,
	headers: HeadersInit = {},
	waysOn: readonly NextLink[] = [HOME],
): Response {
	const links = waysOn.map(
		({ href, words }) => `<p><a href="${href.replaceAll("&", "&amp;")}">${words}</a></p>`,
	);
	const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
${links.join("\n")}
<p>Reference: ${requestId}</p>
</main>
</body>
</html>
`;
	return new Response(html, {
		status,
		headers: { "Content-Type": "text/html; charset=utf-8", ...headers },
	});
}

/** The answer to a link whose file isn't generated: why, and where to go next. */
export function refusedFile(
	{ status, message, retryAfter }: RefusalAnswer,
	requestId: string,
	waysOn: readonly NextLink[],
): Response {
	const headers: HeadersInit =
		retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
	return renderPlainPage(status, "File not created", message, requestId, headers, waysOn);
}

/** The page for someone who requests too many files in a minute. */
export const renderTooManyPage = (requestId: string): Response =>
	renderPlainPage(429, "Too many files", "Try again in a minute.", requestId, {
		"Retry-After": "60",
	});
