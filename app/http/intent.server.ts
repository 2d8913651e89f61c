/** Forms with several buttons: what the pressed one does, and the answer. */
import { json } from "@remix-run/cloudflare";
import { textField } from "./form.server.ts";
import { refusal } from "./refusal.ts";
import type { RequestBody } from "./request-body.ts";

/** The 400 for a form that names no known action. */
export const unknownAction = (): Response =>
	refusal(
		{
			kind: "bad-request",
			message: "This action isn't available here. Nothing was changed.",
		},
		400,
	);

/**
 * What the form's `intent` names.
 * @throws a 400 refusal if it names none of the actions
 */
export async function chooseByIntent<T>(
	body: RequestBody,
	actions: Readonly<Record<string, T>>,
): Promise<T> {
	const intent = await textField(body, "intent");
	const chosen = Object.hasOwn(actions, intent) ? actions[intent] : undefined;
	if (chosen === undefined) throw unknownAction();
	return chosen;
}

/** What a screen says about its refused form; `retryAfter` is in seconds. */
type ScreenAnswer = { readonly status: number; readonly retryAfter?: number | undefined };

/** An action's answer as a response: a redirect as it is, anything else for its screen. */
export function toResponse(answer: Response | ScreenAnswer): Response {
	if (answer instanceof Response) return answer;
	const { status, retryAfter } = answer;
	return json(
		answer,
		retryAfter === undefined ? status : { status, headers: { "Retry-After": String(retryAfter) } },
	);
}
