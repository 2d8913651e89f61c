/** Mail deliveries with a provider that fails, or while something else happens. */
import type { Database } from "../../app/db/client.server.ts";
import { deliverMail } from "../../app/domain/mail/delivery.server.ts";
import type { Message, Transport } from "../../app/domain/mail/rules.ts";

/**
 * Runs a delivery.
 * @param now UTC milliseconds
 * @param fault the provider's, at the first message
 * @param meanwhile what happens while the first message is being sent
 * @returns the subjects that the provider accepted
 */
export async function runDelivery(
	db: Database,
	now: number,
	fault?: Error,
	meanwhile?: () => Promise<unknown>,
): Promise<string[]> {
	const taken: Message[] = [];
	let isFirst = true;
	const send: Transport["send"] = async (message) => {
		const fails = isFirst && fault;
		if (isFirst) await meanwhile?.();
		isFirst = false;
		if (fails) throw fault;
		taken.push(message);
		return undefined;
	};
	await deliverMail(db, { send, isRepeatable: true }, () => now);
	return taken.map(({ subject }) => subject);
}
