/** Posts an event to a webhook's receiver. */
import { TIMEOUT_MS, type WebhookMessage } from "../domain/webhooks/rules.ts";

/**
 * Posts an event, follows no redirect and doesn't read the response's body: only its status counts.
 * @throws if the receiver can't be reached, breaks off, or doesn't answer in time
 */
export async function postWebhook({ url, body, headers }: WebhookMessage): Promise<number> {
	const answer = await fetch(url, {
		method: "POST",
		headers: {
			"Content-Type": "application/json",
			"User-Agent": "Milepost-Webhooks/1",
			...headers,
		},
		body,
		redirect: "manual",
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	await answer.body?.cancel().catch(() => undefined);
	return answer.status;
}
