/** Expensive requests, and how the Worker answers people who send too many. */
import type { Connections, LoadRequest } from "./ask.ts";

/** An expensive request that one person or IP address sends over and over. */
export type ExpensiveRequest = {
	readonly name: string;
	/** How often it is sent: more often than its limit. */
	readonly times: number;
	readonly ask: (time: number) => LoadRequest;
	/** The status for a person without access; otherwise some must be refused with 429. */
	readonly refusal?: number;
	/** The same request by another person, who must not be refused. */
	readonly bystander?: LoadRequest;
};

export class Flood {
	asked = 0;
	readonly found = { unsaid: 0, other: 0, cut: 0, open: 0, bystanders: 0 };
	readonly notes: string[] = [];

	/** Sends a request `times` times, on all connections at once. */
	async flood(
		{ name, times, ask, refusal = 429, bystander }: ExpensiveRequest,
		connections: Connections,
	) {
		const { found } = this;
		let refused = 0;
		const sendOne = async (time: number) => {
			this.asked += 1;
			const answer = await connections.ask(ask(time)).catch((error: Error) => {
				found.cut += 1;
				this.notes.push(`${name}: ${error.message}`);
			});
			if (!answer || answer.status < 400) return;
			if (answer.status === refusal) refused += 1;
			else if (answer.status !== 503) {
				found.other += 1;
				this.notes.push(`${name}: ${answer.status}`);
			}
			if ((answer.status === 429 || answer.status === 503) && !answer.retryAfter) found.unsaid += 1;
		};
		await Promise.all(Array.from({ length: times }, (_, time) => sendOne(time)));
		if (refused === 0) {
			found.open += 1;
			this.notes.push(`${name}: never refused in ${times} requests`);
		}
		if (!bystander) return;
		const { status } = await connections.ask(bystander);
		if (status < 400) return;
		found.bystanders += 1;
		this.notes.push(`${name}: ${status} for another person`);
	}
}
