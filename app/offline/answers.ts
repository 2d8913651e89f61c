/**
 * Interprets the server's answer to a form that the service worker has sent: only genuine answers
 * count.
 */

const isJson = (response: Response) =>
	response.headers.get("Content-Type")?.startsWith("application/json") ?? false;

/** Whether the server refused the form only because another account is signed in. */
export async function isWrongAccount(response: Response): Promise<boolean> {
	if (response.status !== 409 || !isJson(response)) return false;
	const answer = (await response.json().catch(() => ({}))) as { reason?: unknown };
	return answer.reason === "other-account";
}

/** Where our server redirects after accepting the form; only its own responses count. */
export async function redirectTarget(response: Response): Promise<string | undefined> {
	if (response.status !== 200 || !isJson(response)) return undefined;
	const answer = (await response.json().catch(() => ({}))) as {
		received?: unknown;
		location?: unknown;
	};
	return answer.received === true && typeof answer.location === "string"
		? answer.location
		: undefined;
}
