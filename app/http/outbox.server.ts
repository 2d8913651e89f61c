/**
 * Requests from a phone's outbox. They are answered with JSON, because a service worker can read
 * neither a redirect nor a screen.
 */

import type { Submission } from "@conform-to/react";
import { json } from "@remix-run/cloudflare";
import type * as v from "valibot";
import { OTHER_ACCOUNT } from "../messages.ts";
import { parseCapturedAt } from "../values/captured.ts";
import type { InputSchema } from "../values/fields.ts";
import { parseForm, textField } from "./form.server.ts";
import { apiRefusal } from "./refusal.ts";
import type { RequestBody } from "./request-body.ts";

/** When the phone captured the entry: `Captured-Ago`, milliseconds by the phone's own clock. */
export function capturedAt(request: Request, now: number): number | undefined {
	return parseCapturedAt(request.headers.get("Captured-Ago"), now);
}

/**
 * The entry's fields, checked like the form's.
 * @throws a 400 answer with every error; an entry without a key or an owner could be stored twice
 * or under someone else's account
 */
export async function parseEntry<S extends InputSchema>(
	body: RequestBody,
	schema: S,
): Promise<v.InferOutput<S>> {
	for (const name of ["key", "asUser"])
		if ((await textField(body, name)) === "")
			throw apiRefusal(400, `An outbox entry needs the field ${name}`, { [name]: ["is missing"] });
	const submission: Submission<v.InferOutput<S>> = await parseForm(body, schema);
	if (submission.status === "success") return submission.value;
	const faults = Object.entries(submission.error ?? {}).map(
		([name, messages]) => [name, messages ?? []] as const,
	);
	const words = [...new Set(faults.flatMap(([, messages]) => messages))];
	throw apiRefusal(400, words.join(". "), Object.fromEntries(faults));
}

/**
 * 200: the entry is stored, now or by an earlier attempt.
 * @param words what to call it beside 'Sent'
 */
export function entryReceived(words: string, isReplay: boolean): Response {
	return json({ received: true, words: isReplay ? `Already received: ${words}` : words });
}

/**
 * 409: the entry belongs to another account than the one signed in. The phone keeps it for its
 * owner.
 */
export const wrongAccount = (): Response =>
	json({ message: OTHER_ACCOUNT, reason: "other-account" }, { status: 409 });
