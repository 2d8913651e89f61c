/**
 * The page of last resort: what the Worker entry answers when no screen can be rendered. It knows
 * nothing, so it can leak nothing.
 */

/**
 * A whole HTML page with a title, a sentence and a way home; the words are ours, never a visitor's.
 */
export function renderPlainPage(
	status: number,
	title: string,
	sentence: string,
	requestId: string,
	headers: HeadersInit = {},
): Response {
	const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${sentence}</p>
<p><a href="/">Go to the start page</a></p>
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

/** The page of somebody who asks for more files than are made in a minute. */
export const renderTooManyPage = (requestId: string): Response =>
	renderPlainPage(429, "Too many files", "Please try again in a minute.", requestId, {
		"Retry-After": "60",
	});
